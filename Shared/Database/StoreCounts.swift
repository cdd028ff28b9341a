/// What a store has done since it was opened.
package struct StoreCounts: Equatable, Sendable {
    /// Transactions that changed something, each with one synchronisation of the WAL.
    package var commits = 0
    /// Time in their COMMIT, µs.
    package var commitMicroseconds = 0
    /// SQL statements that were run, BEGIN and COMMIT included.
    package var statements = 0
    /// Pages written to the WAL, and to the file by checkpoints.
    package var pagesWritten = 0
}
