import Contracts

/// What a transport or a game engine has made of a proof, so that nobody can read it.
enum ProofShape: Equatable {
    case percentEncoded
    case base64Twice
    case quoted
    case dataURL
    /// JSON around a proof, with the member that holds it, if one does.
    case wrapped(member: String?)

    /// Bytes in which a proof that is percent-encoded shows it.
    private static let shownBytes = 1 << 10
    /// How base64 begins of what begins as a JWS, as an app receipt (both forms of its length), and as iOS 6's list.
    private static let beginningsOfTwice = ["ZXlK", "TUlJ", "TUlB", "TUlH", "ZXdv", "ZXdr", "ZXlB"]

    /// Nil for a text that has none of these shapes; then it is read.
    init?(of proof: String) {
        // By bytes: every proof is looked at, and characters take long.
        let text = Array(proof.drop(while: \.isWhitespace).utf8.prefix(Self.shownBytes))
        let first = text.first.map { UnicodeScalar($0) }
        if first == "{" || first == "[" {
            self = .wrapped(member: Self.longestMember(of: proof))
        } else if first == "\"" || first == "'" || text.starts(with: "\\\"".utf8) {
            self = .quoted
        } else if String(decoding: text.prefix(5), as: UTF8.self).lowercased() == "data:" {
            self = .dataURL
        } else if text.contains(UInt8(ascii: "%")) {
            self = .percentEncoded
        } else if Self.beginningsOfTwice.contains(where: { text.starts(with: $0.utf8) }) {
            self = .base64Twice
        } else {
            return nil
        }
    }

    /// The proof is by far the longest text in what an engine puts around it.
    private static func longestMember(of text: String) -> String? {
        do {
            let members = try EventDecoder().decode([String: JSONValue].self, from: text)
            let texts = members.compactMap { name, value -> (name: String, bytes: Int)? in
                if case .string(let text) = value { (name, text.utf8.count) } else { nil }
            }
            return texts.max { ($0.bytes, $1.name) < ($1.bytes, $0.name) }?.name
        } catch {
            return nil
        }
    }

    /// The shape's name in `/metrics`.
    var name: String {
        switch self {
        case .percentEncoded: "percentEncoded"
        case .base64Twice: "base64Twice"
        case .quoted: "quoted"
        case .dataURL: "dataURL"
        case .wrapped: "wrapped"
        }
    }

    /// For whoever wrote the app: what to send instead in this field.
    func advice(for field: ProofKind) -> String {
        let what =
            switch self {
            case .percentEncoded: "is percent-encoded; send it decoded"
            case .base64Twice: "is base64 of a proof; send the proof itself"
            case .quoted: "stands in quotation marks; send what is between them"
            case .dataURL: "is a data URL; send what follows its comma"
            case .wrapped(let member?): "is JSON around a proof; send its member `\(member)`"
            case .wrapped(nil): "is JSON around a proof; send the proof in it"
            }
        return "`\(field.rawValue)` \(what)."
    }
}
