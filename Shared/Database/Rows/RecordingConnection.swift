/// The open transaction of a store whose row changes are recorded.
///
/// Only what a copy of the store can repeat is let through; the rest fails, and the transaction with it.
final class RecordingConnection: Connection {
    private let connection: SQLiteConnection
    private let recorder: RowRecorder

    init(_ connection: SQLiteConnection, _ recorder: RowRecorder) {
        self.connection = connection
        self.recorder = recorder
    }

    @discardableResult
    func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int {
        try run(sql) { () throws(StoreError) in try connection.execute(sql, values) }
    }

    func rows(_ sql: String, _ values: [Value]) throws(StoreError) -> [Row] {
        try run(sql) { () throws(StoreError) in try connection.rows(sql, values) }
    }

    private func run<Result>(
        _ sql: String,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let kind = StatementKind(sql)
        if let fault = recorder.fault { throw fault }
        switch kind {
        case .read: return try noting(sql, body)
        case .rows:
            try recorder.prepareForRows(connection)
            return try noting(sql, body)
        case .schema:
            try recorder.noteSchemaVersion(connection)
            let result = try noting(sql, body)
            try recorder.noteSchema(sql, connection)
            return result
        case .forbidden(let what): throw .failed("\(what) cannot be replicated: \(sql.prefix(80))")
        }
    }

    private func noting<Result>(
        _ sql: String,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let mark = recorder.mark
        do {
            return try body()
        } catch {
            recorder.noteFailure(since: mark, of: sql, error)
            throw error
        }
    }
}
