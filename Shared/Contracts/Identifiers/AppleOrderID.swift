/// Apple's number of an order, as it stands in the buyer's e-mail: capital letters and digits.
package struct AppleOrderID: TextIdentifier {
    /// What is allowed, in words.
    package static let rule =
        "must be an order number of Apple's: \(characters.lowerBound) to \(characters.upperBound) letters and digits"
    private static let characters = 8...16

    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    /// Accepts any case.
    package init?(rawValue: String) {
        let text = rawValue.uppercased()
        guard Self.isCanonical(text) else { return nil }
        self.rawValue = text
    }

    package static func isValid(_ text: String) -> Bool { isCanonical(text.uppercased()) }

    /// Digits alone are a transaction's id.
    private static func isCanonical(_ text: String) -> Bool {
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
        return characters.contains(text.utf8.count) && text.utf8.contains(where: isLetter)
            && text.utf8.allSatisfy { isDigit($0) || isLetter($0) }
    }
}
