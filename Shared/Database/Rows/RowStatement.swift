import CSQLite

/// A prepared statement whose parameters are values in the bytes of row changes, and whose result is read as it lies.
final class RowStatement {
    let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(_ sql: String, _ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw connection.fault(code) }
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// Whether there is another row.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.fault(code)
        }
    }

    /// Runs the statement with these values, which lie in `bytes`; how many rows it changed.
    func run(_ values: [RowValue], in bytes: UnsafeRawBufferPointer) throws(StoreError) -> Int {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, Int32(index + 1), bytes)
            guard code == SQLITE_OK else { throw connection.fault(code) }
        }
        while try step() {}
        return Int(sqlite3_changes(connection.handle))
    }

    /// SQLite reads the bytes where they are: they outlive the run.
    private func bind(_ value: RowValue, _ index: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
        case .real(let real): return sqlite3_bind_double(handle, index, real)
        case .text(let place):
            let start = bytes.baseAddress.map { ($0 + place.lowerBound).assumingMemoryBound(to: CChar.self) }
            return sqlite3_bind_text64(
                handle,
                index,
                start,
                sqlite3_uint64(place.count),
                nil,
                UInt8(SQLITE_UTF8)
            )
        case .blob(let place) where place.isEmpty: return sqlite3_bind_zeroblob(handle, index, 0)
        case .blob(let place):
            let start = bytes.baseAddress.map { $0 + place.lowerBound }
            return sqlite3_bind_blob64(handle, index, start, sqlite3_uint64(place.count), nil)
        }
    }

    // MARK: The row that was reached

    /// Whether a column of this row and of another statement's have one type and the same bytes.
    func equals(_ other: RowStatement, at column: Int32) -> Bool {
        let type = sqlite3_column_type(handle, column)
        guard type == sqlite3_column_type(other.handle, column) else { return false }
        switch type {
        case SQLITE_NULL: return true
        case SQLITE_INTEGER:
            return sqlite3_column_int64(handle, column) == sqlite3_column_int64(other.handle, column)
        case SQLITE_FLOAT:
            let (left, right) = (
                sqlite3_column_double(handle, column), sqlite3_column_double(other.handle, column)
            )
            return left.bitPattern == right.bitPattern
        default:
            return bytes(at: column).elementsEqual(other.bytes(at: column))
        }
    }

    private func bytes(at column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    /// A column for a message: text and numbers as they are, a blob by its length.
    func description(at column: Int32) -> String {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: "NULL"
        case SQLITE_INTEGER: String(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: String(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: "'" + String(decoding: bytes(at: column), as: UTF8.self) + "'"
        default: "a blob of \(bytes(at: column).count) bytes"
        }
    }
}
