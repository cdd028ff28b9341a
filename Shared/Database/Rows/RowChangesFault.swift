/// Why bytes are no row changes, or do not fit the store.
package enum RowChangesFault: Error, Hashable, Sendable {
    /// They were written by a program that writes them in another way.
    case version(UInt8)
    /// They end too early, or hold what no program writes; where, in bytes.
    case malformed(at: Int)
    /// The store has no such table, or another one of the name.
    case unknownTable(String)
    /// The store holds something else than the one in which the changes were made; the table and what went wrong.
    case diverged(String, String)
}
