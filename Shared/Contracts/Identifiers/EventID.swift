/// The CloudEvents `id` of one message, globally unique.
package struct EventID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package static func isValid(_ text: String) -> Bool { text.isToken(bytes: 1...128) }
}
