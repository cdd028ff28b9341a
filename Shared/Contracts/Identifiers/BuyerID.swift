/// A buyer as the app's own backend names them, 1 to 128 bytes.
package struct BuyerID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package static func isValid(_ text: String) -> Bool { text.isPrintable(bytes: 1...128) }
}
