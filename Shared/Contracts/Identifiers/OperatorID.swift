/// The id of an operator, which stands in records instead of the name: `o` + 12 hex digits.
package struct OperatorID: TextIdentifier {
    private static let digits = 12

    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    /// `random`: 48 bits of it are used.
    package init(random: UInt64) {
        let bytes = withUnsafeBytes(of: random.bigEndian) { Array($0.suffix(6)) }
        rawValue = "o" + bytes.hexadecimal
    }

    package static func isValid(_ text: String) -> Bool {
        text.hasPrefix("o") && String(text.dropFirst()).isHexadecimal(digits: digits)
    }
}
