/// What an entry of a commit log is.
package enum LogEntryKind: UInt8, Hashable, Sendable, CaseIterable {
    /// The partition has a new owner.
    case claim = 1
    /// The row changes of one transaction.
    case rows = 2
    /// Statements that change the schema, as text.
    case schema = 3
}
