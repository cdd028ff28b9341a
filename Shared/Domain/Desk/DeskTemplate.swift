/// A text with places, such as `Paid {paid}[ by {buyer}]`.
///
/// A part in brackets is left out where a place in it has no value.
package struct DeskTemplate: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The names of its places.
    package var places: Set<String> {
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        return Set(parts.dropFirst().map { String($0.prefix { $0 != "}" }) })
    }

    /// The text with the values in their places; a place without a value, outside of brackets, gets `?`.
    package func filled(_ values: [String: String]) -> String {
        var (result, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "[") {
            result += Self.fill(rest[..<open], values) ?? Self.unknown(rest[..<open], values)
            let part = rest[rest.index(after: open)...]
            guard let close = part.firstIndex(of: "]") else { return result + Self.unknown(part, values) }
            result += Self.fill(part[..<close], values) ?? ""
            rest = part[part.index(after: close)...]
        }
        return result + Self.unknown(rest, values)
    }

    /// Nil where a value is missing.
    private static func fill(_ part: Substring, _ values: [String: String]) -> String? {
        let isComplete = DeskTemplate(String(part)).places.allSatisfy { values[$0] != nil }
        return isComplete ? unknown(part, values) : nil
    }

    private static func unknown(_ part: Substring, _ values: [String: String]) -> String {
        var pieces = part.split(separator: "{", omittingEmptySubsequences: false)[...]
        var result = String(pieces.popFirst() ?? "")
        for piece in pieces {
            guard let end = piece.firstIndex(of: "}") else {
                result += "{" + piece
                continue
            }
            result += (values[String(piece[..<end])] ?? "?") + piece[piece.index(after: end)...]
        }
        return result
    }
}
