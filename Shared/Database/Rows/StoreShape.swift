/// The tables of a store whose rows are replicated, as the schema has them at one moment.
struct StoreShape {
    /// What a file says of itself alone, and no other copy of the store may say.
    static let local: Set<String> = ["log_position", "store_seal"]

    /// In the order of their names; so two reads of one schema number them alike.
    let tables: [TableShape]
    let version: Int64

    /// Reads the schema.
    ///
    /// - Throws: `StoreError.failed` for a table whose rows cannot be replicated.
    init(_ connection: any Connection) throws(StoreError) {
        version = try Self.version(connection)
        let encoding: String? = try connection.value("PRAGMA encoding")
        guard encoding == "UTF-8" else { throw .failed("the store's encoding is \(encoding ?? "unknown")") }
        var tables: [TableShape] = []
        for table in try connection.rows(
            """
            SELECT list.name, list.type, list.wr, master.sql FROM pragma_table_list AS list
            JOIN sqlite_master AS master ON master.name = list.name AND master.type = 'table'
            WHERE list.schema = 'main' AND list.type <> 'view' AND list.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY list.name
            """
        ) {
            let name: String = try table[0]
            guard !Self.local.contains(name) else { continue }
            guard try table[1] == "table" else {
                throw .failed("\(name) is a virtual table, which has no row changes")
            }
            let sql: String = try table[3]
            guard !StatementKind.hasReplace(sql) else {
                throw .failed("\(name) replaces rows where a constraint forbids them")
            }
            tables.append(try TableShape(name, hasRowid: try table[2] == 0, connection))
        }
        self.tables = tables
    }

    /// Another one after each change of the schema, but the former one after a roll-back.
    static func version(_ connection: any Connection) throws(StoreError) -> Int64 {
        try connection.value("PRAGMA schema_version") ?? 0
    }
}
