/// A store: one file or schema, one writing connection, used from one thread.
///
/// One face over two engines. SQL that passes through it is the part of the language that SQLite and PostgreSQL
/// share, with `?` for parameters.
package protocol Database: AnyObject {
    /// Runs `body` in one write transaction (`BEGIN IMMEDIATE`) and commits it durably before returning.
    ///
    /// If `body` throws, everything is rolled back and its error is thrown on. A failed COMMIT is `StoreError`;
    /// what it left behind is unknown until the store was reopened.
    ///
    /// - Throws: what `body` throws, or `StoreError`.
    @discardableResult
    func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value

    /// Moves what the log holds into the main file and starts the log anew.
    ///
    /// - Throws: `StoreError`.
    func checkpoint() throws

    /// Closes the store; it cannot be used afterwards.
    ///
    /// - Throws: `StoreError`.
    func close() throws
}

/// The open transaction of a store; valid only inside the closure that received it.
///
/// Everything throws `StoreError`.
package protocol Connection: AnyObject {
    /// Runs a statement that changes rows; returns how many.
    @discardableResult
    func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int

    /// Reads rows.
    func rows(_ sql: String, _ values: [Value]) throws(StoreError) -> [Row]
}

extension Connection {
    /// Runs a statement that changes rows; returns how many.
    @discardableResult
    package func execute(_ sql: SQL) throws(StoreError) -> Int { try execute(sql.text, sql.values) }

    /// Reads rows.
    package func rows(_ sql: SQL) throws(StoreError) -> [Row] { try rows(sql.text, sql.values) }

    /// Reads rows, each as `decode` makes it.
    package func rows<Record>(
        _ sql: SQL,
        _ decode: (Row) throws(StoreError) -> Record
    ) throws(StoreError) -> [Record] {
        var records: [Record] = []
        for row in try rows(sql) { records.append(try decode(row)) }
        return records
    }

    /// The first row, or nil when there is none.
    package func row(_ sql: SQL) throws(StoreError) -> Row? { try rows(sql).first }

    /// The first row as `decode` makes it, or nil when there is none.
    package func row<Record>(
        _ sql: SQL,
        _ decode: (Row) throws(StoreError) -> Record
    ) throws(StoreError) -> Record? {
        guard let row = try row(sql) else { return nil }
        return try decode(row)
    }

    /// The first row, or nil when there is none.
    package func row(_ sql: String, _ values: [Value]) throws(StoreError) -> Row? {
        try rows(sql, values).first
    }

    /// The one column of the first row; nil when there is no row, or the column holds NULL.
    package func value<Converted: ValueConvertible>(_ sql: SQL) throws(StoreError) -> Converted? {
        guard let row = try row(sql), row.values[0] != .null else { return nil }
        guard let converted = Converted(storedValue: row.values[0]) else {
            throw .corrupt("column \(row.names[0]) does not hold \(Converted.self)")
        }
        return converted
    }
}

/// A fault of the store itself; never the message's fault, so nothing is counted against the message.
package enum StoreError: Error, Equatable, Sendable {
    /// Someone else holds the store.
    case busy
    /// The disk is full; resumes by itself when there is room again.
    case full
    /// A read, write or sync failed: what is on disk is unknown until the store was reopened.
    case failed(String)
    /// A CHECK, UNIQUE or NOT NULL of the schema forbids the change.
    case constraint(String)
    /// The store was written by a newer program.
    case newerSchema(found: Int, known: Int)
    /// A row does not hold what its schema promises.
    case corrupt(String)
    /// The file itself is damaged: no message is to blame, and nothing may be written any more.
    case damaged(String)
    /// The files at the store's paths are not, or not any more, those that its owner wrote.
    case replaced(String)
}
