import CSQLite

/// Writes down what a transaction changes, row by row, as SQLite changes it.
///
/// The hook is set before the connection's first statement: SQLite decides when it prepares a `DELETE` of all rows
/// whether anybody wants to be told of them. It tells of what triggers and foreign keys change, too; so those rows are
/// recorded like any others, and where they are applied neither runs.
final class RowRecorder {
    private let handle: OpaquePointer
    private let maximumBytes: Int
    private var writer = RowWriter()
    private var isRecording = false
    /// Why the transaction can no more be written down.
    private(set) var fault: StoreError?
    private var shape: StoreShape?
    /// Whether the schema was read since the transaction began; after its roll-back it is read anew.
    private var hasReadShape = false
    /// Which table of the schema an address of a name meant last.
    private var lastTable: (address: UnsafePointer<CChar>, number: Int)?

    /// Sets the hook.
    init(handle: OpaquePointer, maximumBytes: Int = RowChanges.maximumBytes) {
        self.handle = handle
        self.maximumBytes = maximumBytes
        sqlite3_preupdate_hook(
            handle,
            { recorder, _, operation, database, table, oldRowid, newRowid in
                guard let recorder, let database, let table else { return }
                Unmanaged<RowRecorder>.fromOpaque(recorder).takeUnretainedValue()
                    .note(operation, String(cString: database), table, (oldRowid, newRowid))
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    // MARK: A transaction

    /// Begins to record, inside a transaction.
    func begin(_ connection: any Connection) throws(StoreError) {
        writer = RowWriter()
        (fault, hasReadShape) = (nil, false)
        if let known = shape?.version, try StoreShape.version(connection) != known { forgetShape() }
        isRecording = true
    }

    /// What was changed since `begin`; nothing more is recorded.
    ///
    /// - Throws: `StoreError` where a part of it is not known; then the transaction is rolled back.
    func finish() throws(StoreError) -> RowChanges {
        isRecording = false
        if let fault { throw fault }
        return RowChanges(writer)
    }

    /// The transaction ended, committed or not.
    func end(committed: Bool) {
        isRecording = false
        writer = RowWriter()
        if !committed, hasReadShape { forgetShape() }
    }

    private func forgetShape() {
        shape = nil
        lastTable = nil
    }

    // MARK: Statements

    /// Before a statement that may change rows: their tables are known.
    func prepareForRows(_ connection: any Connection) throws(StoreError) {
        guard shape == nil else { return }
        hasReadShape = true
        lastTable = nil
        shape = try StoreShape(connection)
    }

    /// Where the next statement begins.
    var mark: RowWriter.Mark { writer.mark }

    /// A statement failed.
    ///
    /// SQLite takes back what the statement had changed, but not where a type of a STRICT table or a function failed.
    /// Nothing tells the two apart; so the transaction ends.
    func noteFailure(since mark: RowWriter.Mark, of sql: String, _ error: StoreError) {
        if sqlite3_get_autocommit(handle) != 0 {
            fault = fault ?? error
        } else if writer.mark.isBeyond(mark) {
            fault =
                fault
                ?? .failed("a statement failed after it had changed rows: \(error), in \(sql.prefix(80))")
        }
    }

    /// A statement that may change the schema was run.
    func noteSchema(_ sql: String, _ connection: any Connection) throws(StoreError) {
        let version = try StoreShape.version(connection)
        guard version != schemaVersion else { return }
        forgetShape()
        hasReadShape = true
        writer.addStatement(sql)
    }

    /// Before a statement that may change the schema.
    func noteSchemaVersion(_ connection: any Connection) throws(StoreError) {
        schemaVersion = try StoreShape.version(connection)
    }

    private var schemaVersion: Int64 = 0

    // MARK: The hook

    private func note(
        _ operation: Int32,
        _ database: String,
        _ name: UnsafePointer<CChar>,
        _ rowids: (old: Int64, new: Int64)
    ) {
        guard isRecording, fault == nil, database == "main" else { return }
        guard let (number, table) = table(name) else { return }
        guard sqlite3_preupdate_blobwrite(handle) < 0 else {
            return fault = .failed("a blob of \(table.name) was written in parts")
        }
        do {
            switch operation {
            case SQLITE_INSERT: try noteInsert(number, table, rowids.new)
            case SQLITE_DELETE:
                writer.begin(.delete, of: number, table)
                try addKey(of: table, rowids.old, sqlite3_preupdate_old)
            default: try noteUpdate(number, table, rowids)
            }
        } catch {
            fault = error
        }
        if writer.bytes.count > maximumBytes {
            fault = .failed("a transaction changes more than \(maximumBytes) bytes")
        }
    }

    /// Nil for a table that is not replicated.
    private func table(_ name: UnsafePointer<CChar>) -> (number: Int, table: TableShape)? {
        if let shape, let lastTable, lastTable.address == name, shape.tables[lastTable.number].hasName(name) {
            return (lastTable.number, shape.tables[lastTable.number])
        }
        if let shape, let number = shape.tables.firstIndex(where: { $0.hasName(name) }) {
            lastTable = (name, number)
            return (number, shape.tables[number])
        }
        let text = String(cString: name)
        if !StoreShape.local.contains(text), !text.hasPrefix("sqlite_") {
            fault = .failed("\(text) changes and is not in the schema that was read")
        }
        return nil
    }

    private typealias Reading = (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32

    private func value(_ column: Int, _ read: Reading) throws(StoreError) -> OpaquePointer {
        var value: OpaquePointer?
        let code = read(handle, Int32(column), &value)
        guard code == SQLITE_OK, let value else { throw .failed("\(code): a changed row cannot be read") }
        return value
    }

    private func addKey(of table: TableShape, _ rowid: Int64, _ read: Reading) throws(StoreError) {
        if table.key.isEmpty { writer.add(integer: rowid) }
        for column in table.key { writer.add(try value(column, read)) }
    }

    private func noteInsert(_ number: Int, _ table: TableShape, _ rowid: Int64) throws(StoreError) {
        writer.begin(.insert, of: number, table)
        try addKey(of: table, rowid, sqlite3_preupdate_new)
        for column in table.others { writer.add(try value(column, sqlite3_preupdate_new)) }
    }

    private func noteUpdate(
        _ number: Int,
        _ table: TableShape,
        _ rowids: (old: Int64, new: Int64)
    ) throws(StoreError) {
        let before = writer.mark
        let isMove = table.key.isEmpty && rowids.old != rowids.new
        writer.begin(isMove ? .move : .update, of: number, table)
        try addKey(of: table, rowids.old, sqlite3_preupdate_old)
        if isMove { writer.add(integer: rowids.new) }
        var hasChanged = isMove
        for column in table.columns.indices where column != table.rowidColumn {
            let old = try value(column, sqlite3_preupdate_old)
            let new = try value(column, sqlite3_preupdate_new)
            // A row from before the column was added has no value of it: SQLite tells NULL, and means the default.
            let isUnknown = table.defaulted.contains(column) && sqlite3_value_type(old) == SQLITE_NULL
            guard isUnknown || !Self.areEqual(old, new) else { continue }
            hasChanged = true
            writer.add(number: UInt64(column + 1))
            writer.add(new)
        }
        writer.add(number: 0)
        if !hasChanged { writer.goBack(to: before) }
    }

    private static func areEqual(_ left: OpaquePointer, _ right: OpaquePointer) -> Bool {
        let type = sqlite3_value_type(left)
        guard type == sqlite3_value_type(right) else { return false }
        switch type {
        case SQLITE_NULL: return true
        case SQLITE_INTEGER: return sqlite3_value_int64(left) == sqlite3_value_int64(right)
        case SQLITE_FLOAT:
            return sqlite3_value_double(left).bitPattern == sqlite3_value_double(right).bitPattern
        default:
            let (start, other) = (sqlite3_value_blob(left), sqlite3_value_blob(right))
            let count = sqlite3_value_bytes(left)
            guard count == sqlite3_value_bytes(right) else { return false }
            guard count > 0, let start, let other else { return true }
            return UnsafeRawBufferPointer(start: start, count: Int(count))
                .elementsEqual(UnsafeRawBufferPointer(start: other, count: Int(count)))
        }
    }
}
