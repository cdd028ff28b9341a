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
