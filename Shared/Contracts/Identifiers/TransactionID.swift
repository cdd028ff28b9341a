/// Apple's id of a transaction, 1 to 64 bytes of letters, digits, `.`, `_` and `-`.
package struct TransactionID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    /// Whether it is one that the App Store gives: digits alone.
    package var isNumber: Bool {
        rawValue.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    package static func isValid(_ text: String) -> Bool { text.isToken(bytes: 1...64) }
}
