/// Whether two stores hold the same, table by table, byte by byte.
///
/// What a file says of itself alone (`StoreShape.local`) is left out.
package enum StoreComparison {
    /// The first difference, with the table and the key of the row; nil if there is none.
    ///
    /// - Throws: `StoreError`.
    package static func firstDifference(_ left: SQLiteDatabase, _ right: SQLiteDatabase) throws -> String? {
        try left.transaction { left in try right.transaction { right in try firstDifference(left, right) } }
    }

    private static func firstDifference(
        _ left: SQLiteConnection,
        _ right: SQLiteConnection
    ) throws(StoreError) -> String? {
        let (schema, other) = (try schema(left), try schema(right))
        for (name, sql) in schema where other[name] != sql {
            return "\(name) is declared otherwise, or missing"
        }
        for name in other.keys where schema[name] == nil { return "\(name) is in the second store alone" }
        for table in try StoreShape(left).tables {
            if let difference = try firstDifference(in: table, left, right) { return difference }
        }
        return try firstDifference(inNumbers: left, right)
    }

    private static func schema(_ connection: SQLiteConnection) throws(StoreError) -> [String: String] {
        var schema: [String: String] = [:]
        for row in try connection.rows(
            "SELECT tbl_name, name, type, COALESCE(sql, '') FROM sqlite_master ORDER BY name"
        ) where try !StoreShape.local.contains(row[0]) {
            schema["\(try row[2] as String) \(try row[1] as String)"] = try row[3]
        }
        return schema
    }

    private static func firstDifference(
        in table: TableShape,
        _ left: SQLiteConnection,
        _ right: SQLiteConnection
    ) throws(StoreError) -> String? {
        let names = table.keyNames + table.otherNames
        let order = table.keyNames.joined(separator: ", ")
        let sql =
            "SELECT \(names.joined(separator: ", ")) FROM \(TableShape.quoted(table.name)) ORDER BY \(order)"
        let (rows, others) = (try RowStatement(sql, left), try RowStatement(sql, right))
        while true {
            let (hasRow, hasOther) = (try rows.step(), try others.step())
            guard hasRow || hasOther else { return nil }
            let row = hasRow ? rows : others
            let key = table.keyNames.indices.map { row.description(at: Int32($0)) }.joined(separator: ", ")
            guard hasRow, hasOther else {
                return "\(table.name) has \(key) in the \(hasRow ? "first" : "second") store alone"
            }
            for (column, name) in names.enumerated() where !rows.equals(others, at: Int32(column)) {
                let values = (rows.description(at: Int32(column)), others.description(at: Int32(column)))
                return "\(table.name) differs at \(key): \(name) is \(values.0) and \(values.1)"
            }
        }
    }

    /// The next numbers of tables with AUTOINCREMENT.
    private static func firstDifference(
        inNumbers left: SQLiteConnection,
        _ right: SQLiteConnection
    ) throws(StoreError) -> String? {
        let exists: Int? = try left.value("SELECT COUNT(*) FROM sqlite_master WHERE name = 'sqlite_sequence'")
        guard exists == 1 else { return nil }
        let sql: SQL = "SELECT name, seq FROM sqlite_sequence ORDER BY name"
        return try left.rows(sql) == right.rows(sql) ? nil : "sqlite_sequence differs"
    }
}
