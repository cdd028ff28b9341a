import Contracts

/// A message's ordering key; it compares by bytes, as in the store.
struct Subject: TextIdentifier {
    let rawValue: String

    init(unchecked rawValue: String) { self.rawValue = rawValue }

    static func isValid(_ text: String) -> Bool { true }
}
