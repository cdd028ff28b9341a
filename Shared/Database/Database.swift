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
