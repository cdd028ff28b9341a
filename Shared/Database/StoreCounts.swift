/// What a store has done since it was opened.
package struct StoreCounts: Equatable, Sendable {
    /// Write transactions that were committed.
    package var commits = 0
    /// Time in COMMIT, µs, the synchronisation of the file included.
    package var commitMicroseconds = 0
    /// SQL statements that were run, without BEGIN and COMMIT.
    package var statements = 0
    /// Pages written to the log, and to the file by checkpoints.
    package var pagesWritten = 0
}
