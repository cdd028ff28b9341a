/// What a server answered to one statement.
struct Reply {
    /// Each column as it came, nil is NULL: text, or bytes and big-endian numbers where those were asked for.
    var rows: [[[UInt8]?]] = []
    /// Rows that the statement wrote or, of a query, read.
    var affected = 0
    /// The warnings that came with it.
    ///
    /// A COMMIT whose wait for the standby was cancelled says so in a warning alone.
    var warnings: [String] = []
    /// What the server's settings were when the statement had been committed; nil if they were not asked for.
    var durability: Durability?

    /// The text of a column, nil if it is NULL or not there.
    func text(_ column: Int, ofRow row: Int = 0) -> String? {
        cell(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A number that came as text.
    func number(_ column: Int, ofRow row: Int = 0) -> Int64? {
        text(column, ofRow: row).flatMap { Int64($0) }
    }

    /// A number that came as bytes.
    func binaryNumber(_ column: Int, ofRow row: Int) -> Int64? {
        guard let bytes = cell(row, column), bytes.count == 8 else { return nil }
        return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// A column as it came.
    func cell(_ row: Int, _ column: Int) -> [UInt8]? {
        guard rows.indices.contains(row), rows[row].indices.contains(column) else { return nil }
        return rows[row][column]
    }
}
