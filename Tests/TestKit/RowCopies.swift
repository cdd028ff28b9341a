package import Database

extension Connection {
    /// The columns of a table that an INSERT may name: all but those that the store generates.
    package func insertableColumns(of table: String) throws(StoreError) -> [String] {
        try rows("SELECT name FROM pragma_table_info(\(table))") { row throws(StoreError) in try row["name"] }
    }

    /// Rows of a table as `insert` takes them.
    package func copies(of table: String, where condition: SQL = "TRUE") throws(StoreError) -> [Row] {
        let columns = try insertableColumns(of: table).joined(separator: ", ")
        return try rows("SELECT \(raw: columns) FROM \(raw: table) WHERE \(condition)")
    }

    /// Adds a row that `copies` has read, here or in another store.
    package func insert(_ row: Row, into table: String) throws(StoreError) {
        let places = row.values.map { _ in "?" }.joined(separator: ", ")
        let columns = row.names.joined(separator: ", ")
        try execute("INSERT INTO \(table) (\(columns)) VALUES (\(places))", row.values)
    }
}
