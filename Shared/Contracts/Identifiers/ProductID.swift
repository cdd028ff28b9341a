/// A product's id in App Store Connect, 1 to 255 bytes.
package struct ProductID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package static func isValid(_ text: String) -> Bool { text.isPrintable(bytes: 1...255) }
}
