/// Rows of text in columns as wide as they need to be.
struct TextTable {
    private var rows: [[String]]

    init(_ header: [String]) { rows = [header] }

    mutating func add(_ row: [String]) { rows.append(row) }

    /// The rows, without spaces at their ends.
    var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { Self.line($0, widths) }.joined(separator: "\n")
    }

    private static func line(_ row: [String], _ widths: [Int]) -> String {
        let cells = zip(row, widths).map { cell, width in
            cell + String(repeating: " ", count: max(0, width - cell.count))
        }
        let line = cells.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
