/// The open transaction of a store; valid only inside the closure that received it.
package protocol Connection: AnyObject {
    /// Runs a statement with a value for each `?`, and returns the number of changed rows.
    @discardableResult
    func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int

    /// Reads rows, with a value for each `?`.
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
