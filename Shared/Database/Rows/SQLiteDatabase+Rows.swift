extension SQLiteDatabase {
    /// Does what `write` does, and hands what was changed to `publish`, if anything was, directly before the COMMIT.
    ///
    /// The connection that `publish` gets is not recorded.
    ///
    /// - Throws: what `body` and `publish` throw, after which everything is rolled back, or `StoreError`. A statement
    ///   that failed when it had changed rows makes the whole transaction fail, whatever `body` does about it.
    package func write<Value>(
        _ body: (any Connection) throws -> Value,
        publish: (RowChanges, any Connection) throws -> Void
    ) throws -> Value {
        guard let recorder = try connection.recorder else {
            throw StoreError.failed("the store was opened without a recorder")
        }
        var isCommitted = false
        defer { recorder.end(committed: isCommitted) }
        let value = try transaction { connection in
            try recorder.begin(connection)
            let value = try body(RecordingConnection(connection, recorder))
            let changes = try recorder.finish()
            if changes.steps > 0 { try publish(changes, connection) }
            return value
        }
        isCommitted = true
        return value
    }
}
