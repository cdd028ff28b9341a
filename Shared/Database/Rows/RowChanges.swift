/// What one transaction changed in a store, as bytes for a commit log.
package struct RowChanges: Hashable, Sendable {
    /// A transaction that changes more is refused before its log is asked; the largest batch of proofs is below it.
    package static let maximumBytes = LogEntry.maximumBytes

    package let bytes: [UInt8]
    /// How many rows and statements of the schema were changed and run.
    package let steps: Int
    /// Whether statements of the schema are among them.
    package let changesSchema: Bool

    init(_ writer: RowWriter) {
        bytes = writer.bytes
        steps = writer.steps
        changesSchema = writer.statements > 0
    }
}

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
