import Foundation
import Testing

/// The table of a doc comment: the same text is documentation and test.
struct Table {
    struct Cell: Sendable, CustomStringConvertible {
        let row: String
        let column: String
        let text: String

        var description: String { "\(row), \(column): \(text)" }
    }

    let cells: [Cell]

    /// The first table of a file of `Shared/Client`.
    init(of name: String) throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Shared/Client/\(name)"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("/// |") }.map { line in
            line.dropFirst(5).split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let columns = try #require(rows.first)
        cells = rows.dropFirst(2).flatMap { row in
            zip(columns, row).dropFirst().map { Cell(row: row[0], column: $0, text: $1) }
        }
    }

    /// What a test writes in a cell: effects, then the phase if it is another one.
    static func text(_ effects: [String], from before: String, to after: String) -> String {
        let parts = [effects.joined(separator: ", "), before == after ? "" : after].filter { !$0.isEmpty }
        return parts.isEmpty ? "–" : parts.joined(separator: ": ")
    }
}
