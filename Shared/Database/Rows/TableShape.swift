/// What names a row of a table, and which columns it has.
struct TableShape: Equatable {
    let name: String
    let columns: [String]
    /// Of a table without rowid the columns of its primary key, in their order there; else empty.
    let key: [Int]
    /// The column that is the rowid.
    let rowidColumn: Int?
    /// A name under which SQL knows the rowid; nil without one.
    let rowidName: String?
    /// The columns that the key does not hold.
    let others: [Int]
    /// The columns that may be NULL and have a default.
    let defaulted: Set<Int>

    init(_ name: String, hasRowid: Bool, _ connection: any Connection) throws(StoreError) {
        let rows = try connection.rows(
            """
            SELECT name, pk, hidden, dflt_value IS NOT NULL AND "notnull" = 0
            FROM pragma_table_xinfo(\(name), 'main') ORDER BY cid
            """
        )
        // SQLite tells of a change where a column is stored, not where it is declared.
        for row in rows where try row[2] as Int != 0 {
            throw .failed("\(name) has the generated column \(try row[0] as String), which is no row change")
        }
        var primary: [(rank: Int, column: Int)] = []
        for (column, row) in rows.enumerated() where try row[1] as Int > 0 {
            primary.append((try row[1], column))
        }
        primary.sort { $0.rank < $1.rank }
        var defaulted: Set<Int> = []
        for (column, row) in rows.enumerated() where try row[3] == 1 { defaulted.insert(column) }
        // A key that is the rowid needs no index.
        let indexes: Int? = try connection.value(
            "SELECT COUNT(*) FROM pragma_index_list(\(name), 'main') WHERE origin = 'pk'"
        )
        let columns = try rows.map { row throws(StoreError) in try row[0] as String }
        try self.init(
            name,
            columns: columns,
            key: hasRowid ? [] : primary.map(\.column),
            rowidColumn: hasRowid && primary.count == 1 && indexes == 0 ? primary[0].column : nil,
            defaulted: defaulted
        )
    }

    init(
        _ name: String,
        columns: [String],
        key: [Int],
        rowidColumn: Int?,
        defaulted: Set<Int> = []
    ) throws(StoreError) {
        self.name = name
        self.columns = columns
        self.key = key
        self.rowidColumn = rowidColumn
        self.defaulted = defaulted
        others = columns.indices.filter { !key.contains($0) && $0 != rowidColumn }
        guard key.isEmpty else {
            rowidName = nil
            return
        }
        let taken = Set(columns.map { $0.lowercased() })
        let free = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
        guard let known = rowidColumn.map({ Self.quoted(columns[$0]) }) ?? free else {
            throw .failed("\(name) hides its rowid behind its columns")
        }
        rowidName = known
    }

    /// What names a row, in the order of the key.
    var keyNames: [String] { rowidName.map { [$0] } ?? key.map { Self.quoted(columns[$0]) } }

    var otherNames: [String] { others.map { Self.quoted(columns[$0]) } }

    /// Whether SQLite means this table; compared byte by byte, without a copy.
    func hasName(_ other: UnsafePointer<CChar>) -> Bool {
        var place = other
        for byte in name.utf8 {
            guard UInt8(bitPattern: place.pointee) == byte else { return false }
            place += 1
        }
        return place.pointee == 0
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
