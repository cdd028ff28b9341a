import Program

/// Rows of text in aligned columns; what a terminal would obey is escaped.
struct TextTable {
    typealias Column<Row> = (name: String, cell: (Row) -> String)

    private let rows: [[String]]

    init(_ header: [String], _ rows: [[String]]) {
        self.rows = [header] + rows.map { $0.map(LogText.escaped) }
    }

    init<Row>(_ rows: [Row], columns: [Column<Row>]) {
        self.init(columns.map(\.name), rows.map { row in columns.map { $0.cell(row) } })
    }

    /// The rows with their total in the last line; without rows that line alone.
    static func text<Row>(of rows: [Row], columns: [Column<Row>], total: String) -> String {
        rows.isEmpty ? total : TextTable(rows, columns: columns).text + "\n" + total
    }

    /// The rows, without trailing spaces.
    var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        let lines = rows.map { row in
            zip(row, widths).map { $0.padding(toLength: max($0.count, $1)) }.joined(separator: "  ")
        }
        return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }
}

extension String {
    func padding(toLength length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - count))
    }
}
