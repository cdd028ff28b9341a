import CSQLite

/// SQLite's one connection to a file, with every statement prepared once.
///
/// Errors are the store's: a statement that is no SQL is a fault of this program and comes as `StoreError.failed`.
final class SQLiteConnection: Connection {
    /// More than a service has; statements with a number in their text must not grow without end.
    private static let maximumStatements = 512

    /// Once in a process; where something else has used SQLite before, nothing changes.
    private static let isConfigured: Bool = csqlite_config_without_memory_statistics() == SQLITE_OK

    let handle: OpaquePointer
    /// Writes row changes down; nil where nobody wants them, and then SQLite has no hook.
    let recorder: RowRecorder?
    /// By their text, for as long as the connection is open.
    private var statements: [StatementText: Statement] = [:]
    /// Statements since the connection was opened.
    private(set) var statementsRun = 0
    /// Pages written since the connection was opened, until the last `countPages`.
    private(set) var pagesWritten = 0

    /// Opens or creates the file at `path`; the recorder's hook is there before the first statement.
    init(path: String, isRecorded: Bool = false) throws(StoreError) {
        _ = Self.isConfigured
        var opened: OpaquePointer?
        // Without a mutex: one thread uses the connection.
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened else { throw .failed("SQLite has no memory to open \(path)") }
        handle = opened
        recorder = isRecorded ? RowRecorder(handle: opened) : nil
        guard code == SQLITE_OK else { throw fault(code) }
        try keepWAL(true)
    }

    /// Whether the WAL stays as it is, and beside the file, when the connection ends.
    func keepWAL(_ keeps: Bool) throws(StoreError) {
        let code = csqlite_keep_wal(handle, keeps ? 1 : 0)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    /// Whether triggers run; they do unless told otherwise.
    func runTriggers(_ runs: Bool) throws(StoreError) {
        let code = csqlite_run_triggers(handle, runs ? 1 : 0)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    @discardableResult
    func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int {
        let statement = try bound(sql, values)
        defer { statement.reset() }
        while try step(statement) {}
        return Int(sqlite3_changes(handle))
    }

    func rows(_ sql: String, _ values: [Value]) throws(StoreError) -> [Row] {
        let statement = try bound(sql, values)
        defer { statement.reset() }
        var rows: [Row] = []
        while try step(statement) { rows.append(Row(statement.columns, statement.values)) }
        return rows
    }

    /// The application's number in the header of the file.
    var applicationID: UInt32 {
        get throws(StoreError) {
            let number: Int64? = try value("PRAGMA application_id")
            return UInt32(truncatingIfNeeded: number ?? 0)
        }
    }

    /// Rows changed since the connection was opened, modulo 2³².
    var changes: Int32 { sqlite3_total_changes(handle) }

    /// Adds the pages written since the last such call: SQLite's own count has 32 bits.
    func countPages() {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 1)
        pagesWritten += Int(count)
    }

    /// Rolls back; SQLite has ended the transaction already after some faults.
    func rollback() throws(StoreError) {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        try execute("ROLLBACK", [])
    }

    /// Writes the pages that the open transaction has changed; COMMIT adds one more, which says that they are whole.
    func flush() throws(StoreError) {
        let code = sqlite3_db_cacheflush(handle)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    /// Moves the WAL into the main file; the WAL keeps its bytes, because an empty one is none (`SQLiteDatabase.init`).
    func checkpoint() throws(StoreError) {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    private func bound(_ sql: String, _ values: [Value]) throws(StoreError) -> Statement {
        let statement: Statement
        statementsRun += 1
        let text = StatementText(sql: sql)
        if let known = statements[text] { statement = known } else { statement = try prepare(text) }
        guard statement.parameterCount == values.count else {
            throw .failed("\(values.count) values for \(statement.parameterCount) parameters of \(sql)")
        }
        for (index, value) in values.enumerated() {
            let code = statement.bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw fault(code) }
        }
        return statement
    }

    private func prepare(_ text: StatementText) throws(StoreError) -> Statement {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, text.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw fault(code) }
        if statements.count >= Self.maximumStatements { statements = [:] }
        let statement = Statement(prepared)
        statements[text] = statement
        return statement
    }

    /// Whether there is another row.
    private func step(_ statement: Statement) throws(StoreError) -> Bool {
        switch sqlite3_step(statement.handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw fault(code)
        }
    }

    /// What a result code of this connection means.
    func fault(_ code: Int32) -> StoreError {
        let message = String(cString: sqlite3_errmsg(handle))
        return switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .full
        case SQLITE_CONSTRAINT: .constraint(message)
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged(message)
        default: .failed("\(code): \(message)")
        }
    }
}

/// The text of a statement, of which a few bytes make the hash: a service has some hundred, of a kilobyte and more.
private struct StatementText: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) {
        var sql = sql
        sql.withUTF8 { bytes in
            hasher.combine(bytes.count)
            for place in 1...4 where bytes.count >= 32 {
                let start = (bytes.count - 8) * place / 4
                let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: start, as: UInt64.self)
                hasher.combine(word)
            }
        }
    }
}

/// A prepared statement and its columns.
private final class Statement {
    /// SQLite copies what is bound.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    let handle: OpaquePointer
    let parameterCount: Int
    let columns: Columns

    init(_ handle: OpaquePointer) {
        self.handle = handle
        parameterCount = Int(sqlite3_bind_parameter_count(handle))
        let names = (0..<sqlite3_column_count(handle)).map { column in
            sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
        }
        columns = Columns(names)
    }

    deinit { sqlite3_finalize(handle) }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
        case .text(let text) where text.isEmpty: sqlite3_bind_text(handle, index, "", 0, Self.copied)
        // Without the copy that a C string would be.
        case .text(var text):
            text.withUTF8 { bytes in
                let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
                return sqlite3_bind_text(handle, index, start, Int32(bytes.count), Self.copied)
            }
        // A blob without bytes has no address, which SQLite would take for NULL.
        case .blob(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
        case .blob(let bytes): sqlite3_bind_blob(handle, index, bytes, Int32(bytes.count), Self.copied)
        }
    }

    /// The columns of the row that was reached.
    var values: [Value] { columns.names.indices.map { value(at: Int32($0)) } }

    private func value(at column: Int32) -> Value {
        let count = { Int(sqlite3_column_bytes(self.handle, column)) }
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .integer(Int64(sqlite3_column_double(handle, column)))
        case SQLITE_TEXT:
            let text = UnsafeBufferPointer(start: sqlite3_column_text(handle, column), count: count())
            return .text(String(decoding: text, as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(start: sqlite3_column_blob(handle, column), count: count())
            return .blob(Array(bytes))
        default: return .null
        }
    }
}
