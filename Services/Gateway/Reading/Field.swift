import Contracts
import Domain
import Program

enum Field {
    private static let deviceBytes = 1...64
    static func identifier<ID: TextIdentifier>(
        _ text: String,
        _ name: String,
        _ rule: String
    ) throws(Problem) -> ID {
        guard let identifier = ID(rawValue: text) else { throw .unacceptable(name, "must be \(rule)") }
        return identifier
    }

    static func buyer(_ text: String) throws(Problem) -> BuyerID {
        try identifier(text, "buyerId", "1 to 128 bytes of printable text")
    }

    static func product(_ text: String) throws(Problem) -> ProductID {
        try identifier(text, "productId", "1 to 255 bytes of printable text")
    }

    /// A bundle id; 422 when it is malformed, 403 when it is not that of the key's app.
    static func bundle(_ text: String, of app: Configuration.App) throws(Problem) -> BundleID {
        let rule = "1 to 155 letters, digits, dots, hyphens and underscores"
        let bundle: BundleID = try identifier(text, "bundleId", rule)
        guard bundle == app.bundleId else { throw .forbidden }
        return bundle
    }

    static func environment(
        _ text: String?,
        of app: Configuration.App
    ) throws(Problem) -> Contracts.Environment {
        let environment = text.map(Contracts.Environment.init(rawValue:)) ?? .production
        guard app.environments.contains(environment) else {
            let known = app.environments.map(\.rawValue).joined(separator: ", ")
            throw .unacceptable("environment", "must be one of this app's environments: \(known)")
        }
        return environment
    }

    static func reference(_ text: String) throws(Problem) -> String {
        try printable(text, "reference", bytes: Limits.referenceBytes)
    }

    /// An object of the caller's own; no message that carries it limits it again.
    static func metadata(_ members: [String: JSONValue]) throws(Problem) -> [String: JSONValue] {
        guard JSONValue.object(members).levels <= Limits.metadataLevels else {
            let rule = "must have \(Limits.metadataLevels) levels of arrays and objects at most"
            throw .unacceptable("metadata", rule)
        }
        let bytes: Int
        do {
            bytes = try EventCoder.encoder().encode(members).count
        } catch {
            throw .unacceptable("metadata", "has a value that has no JSON form")
        }
        guard bytes <= Limits.metadataBytes else {
            throw .unacceptable("metadata", "must be \(Limits.metadataBytes) bytes of JSON at most")
        }
        return members
    }

    /// One of some words; `other` is one more, which its caller knows.
    static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String,
        _ name: String,
        beside other: String? = nil
    ) throws(Problem) -> Word {
        if let word = Word(rawValue: text) { return word }
        let known = [other].compactMap(\.self) + Word.allCases.map(\.rawValue)
        throw .unacceptable(name, "must be one of \(known.joined(separator: ", "))")
    }

    /// Text without control characters, of a length within `bytes`.
    static func printable(_ text: String, _ name: String, bytes: ClosedRange<Int>) throws(Problem) -> String {
        guard text.isPrintable(bytes: bytes) else {
            let rule = "must be \(bytes.lowerBound) to \(bytes.upperBound) bytes of printable text"
            throw .unacceptable(name, rule)
        }
        return text
    }

    /// The order id that a phone sends as a hint; it is never an error.
    ///
    /// It travels in events, whose size is limited, so a hint that cannot be an order id is stripped and cut.
    static func orderHint(_ hint: Hint?) -> String? {
        guard let text = hint?.text, !text.isEmpty else { return nil }
        if text.isPrintable(bytes: Limits.referenceBytes) { return text }
        let printable = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(printable.prefix(Limits.referenceBytes.upperBound / 4)))
    }

    /// The device that a phone names beside its receipt; absent if it can be none.
    static func deviceHint(_ hint: Hint?) -> String? {
        hint?.text.flatMap { $0.isPrintable(bytes: deviceBytes) ? $0 : nil }
    }
}
