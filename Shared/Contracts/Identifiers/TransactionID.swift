/// Apple's id of a transaction, 1 to 64 bytes of letters, digits, `.`, `_` and `-`.
package struct TransactionID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package static func isValid(_ text: String) -> Bool { text.isToken(bytes: 1...64) }
}
