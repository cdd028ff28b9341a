import Contracts

/// The key of order of a message; like every identifier it compares by bytes, as the store does.
struct Subject: TextIdentifier {
    let rawValue: String

    init(unchecked rawValue: String) { self.rawValue = rawValue }

    static func isValid(_ text: String) -> Bool { true }
}
