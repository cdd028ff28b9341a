/// A store: one file or schema, with one writing connection that one thread uses.
///
/// SQL is SQLite's, with `?` for parameters. SQLite is the only store today; another one would have to translate what
/// only SQLite has: `STRICT` and `WITHOUT ROWID` in schemas, the functions of JSON, and the `+` that keeps a column
/// from an index.
package protocol Database: AnyObject {
    /// Runs `body` in one write transaction and commits it durably before returning.
    ///
    /// If `body` throws, everything is rolled back. After a failed COMMIT the state is unknown until the store is
    /// reopened.
    ///
    /// - Throws: what `body` throws, or `StoreError`.
    @discardableResult
    func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value

    /// What the store has done since it was opened.
    var counts: StoreCounts { get }

    /// Moves the write-ahead log (WAL) into the main file.
    ///
    /// - Throws: `StoreError`.
    func checkpoint() throws

    /// Closes the store for good.
    ///
    /// - Throws: `StoreError`.
    func close() throws
}

/// The open transaction of a store; valid only inside the closure that received it.
package protocol Connection: AnyObject {
    @discardableResult
    func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int

    func rows(_ sql: String, _ values: [Value]) throws(StoreError) -> [Row]
}

extension Connection {
    /// Runs a statement and returns the number of changed rows.
    @discardableResult
    package func execute(_ sql: SQL) throws(StoreError) -> Int { try execute(sql.text, sql.values) }

    /// Reads rows.
    package func rows(_ sql: SQL) throws(StoreError) -> [Row] { try rows(sql.text, sql.values) }

    /// Reads rows, each converted by `decode`.
    package func rows<Record>(
        _ sql: SQL,
        _ decode: (Row) throws(StoreError) -> Record
    ) throws(StoreError) -> [Record] {
        try rows(sql).map(decode)
    }

    /// The first row, or nil when there is none.
    package func row(_ sql: SQL) throws(StoreError) -> Row? { try rows(sql).first }

    /// The first row converted by `decode`, or nil when there is none.
    package func row<Record>(
        _ sql: SQL,
        _ decode: (Row) throws(StoreError) -> Record
    ) throws(StoreError) -> Record? {
        try row(sql).map(decode)
    }

    /// The only column of the first row; nil when there is no row or the column is NULL.
    package func value<Converted: ValueConvertible>(_ sql: SQL) throws(StoreError) -> Converted? {
        guard let row = try row(sql), row.values[0] != .null else { return nil }
        return try row[0]
    }
}

/// A fault of the store itself; it never counts against a message.
package enum StoreError: Error, Equatable, Sendable {
    case busy
    /// The disk is full; passes when space is freed.
    case full
    /// A read, write or sync failed; the state on disk is unknown until the store is reopened.
    case failed(String)
    /// A CHECK, UNIQUE or NOT NULL of the schema forbids the change.
    case constraint(String)
    /// The store was written by a newer program.
    case newerSchema(found: Int, known: Int)
    /// A row contradicts its schema.
    case corrupt(String)
    /// The file itself is damaged; nothing more may be written.
    case damaged(String)
    /// The files at the store's paths are not those that its owner wrote.
    case replaced(String)
    /// Another owner has the partition, or was first to claim it; the store itself is as good as before.
    case taken(String)
}
