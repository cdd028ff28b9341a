/// The columns of a row's key as one text, which sorts as they do one after the other.
///
/// A space sorts before every character of the ids that precede the last column.
package enum DeskKey {
    private static let separator: Character = " "

    /// The text of a row's columns.
    package static func text(of columns: [String]) -> String { columns.joined(separator: String(separator)) }

    /// The columns of a text; empty ones, which sort first, for what it does not have.
    package static func columns(of text: String, count: Int) -> [String] {
        let parts = text.split(separator: separator, maxSplits: count - 1, omittingEmptySubsequences: false)
        return (0..<count).map { parts.indices.contains($0) ? String(parts[$0]) : "" }
    }
}
