/// An app's bundle id, 1 to 155 bytes of letters, digits, `.`, `_` and `-`.
package struct BundleID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package static func isValid(_ text: String) -> Bool { text.isToken(bytes: 1...155) }
}
