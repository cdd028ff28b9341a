import Contracts
import Crypto

extension Catalog {
    /// Hexadecimal digits of a version: enough that no two catalogs of one group share it.
    private static let versionDigits = 16

    /// The first digits of SHA-256 over the canonical JSON text.
    static func version(of content: JSONValue) -> String {
        let digest = SHA256.hash(data: Array(content.canonicalText.utf8))
        return String(digest.hexadecimal.prefix(versionDigits))
    }
}

extension JSONValue {
    /// JSON text without spaces, with the members of each object sorted by their bytes.
    var canonicalText: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        case .string(let text): Self.quoted(text)
        case .array(let values): "[" + values.map(\.canonicalText).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { Self.quoted($0.key) + ":" + $0.value.canonicalText }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..."\u{1F}": quoted += "\\u00" + [UInt8(scalar.value)].hexadecimal
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
