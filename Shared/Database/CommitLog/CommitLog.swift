/// The commit log of one partition, which one thread uses.
///
/// Its owner appends what a transaction changes before its COMMIT and before any reply. *Safety is the position*: there
/// is one entry at most at each position, and a claim is an entry. So an owner that has lost the partition meets a
/// taken position, whatever it believes.
///
/// | entry, its epoch | behind the head that it names | of another epoch | the same is there | another is there | beyond |
/// |---|---|---|---|---|---|
/// | claim: above the head's | `appended` | `taken` | `appended` | `taken` | `behind` |
/// | others: the head's | `appended` | `taken` | `appended` | `taken` | `behind` |
///
/// An entry names the epoch of the one in front of it, and an epoch has one owner: so the entries are a chain, and
/// whoever holds one of them knows a log that has lost it and went on otherwise.
///
/// SQLite's own log, beside the store's file, is called the WAL.
///
/// The head of an empty log has position and epoch 0; so its first entry is a claim.
/// An entry is the same one if all that it says is equal. At a position that is pruned nothing can be
/// compared: that is `taken`.
package protocol CommitLog: AnyObject {
    /// What is known of the log's history; nil before anything was asked of it, and of a log that has none.
    var lineage: LogLineage? { get }

    /// Takes nothing of a log that is another one, or has not come as far.
    func expect(_ lineage: LogLineage)

    /// Puts an entry into the log, durably on every machine that the log promises.
    ///
    /// It neither reads to find out nor takes a failure for "not done": what it cannot know is `unknown`. Of an entry
    /// that an earlier attempt had put there it says `appended` only when that is as durable as any other.
    ///
    /// - Throws: `LogFault`, but for `unreachable`: that is `unknown`.
    func append(_ entry: LogEntry) throws(LogFault) -> AppendOutcome

    /// The last entry's place.
    ///
    /// It may be older than what an append has meanwhile put there; a claim that trusts it meets `taken`.
    ///
    /// - Throws: `LogFault`.
    func head() throws(LogFault) -> LogHead

    /// Entries from a position on, in order, at least one if there is one; none beyond the head.
    ///
    /// It stops after `maximumBytes` of entries, and goes above it for the first one only.
    ///
    /// - Throws: `LogFault.pruned` if the entry at `position` is gone.
    func entries(from position: Int64, maximumBytes: Int) throws(LogFault) -> [LogEntry]

    /// Writes one part of a snapshot that is not kept yet; the same part again replaces it.
    ///
    /// - Throws: `LogFault`.
    func write(part: [UInt8], number: Int, of name: SnapshotName) throws(LogFault)

    /// Keeps a snapshot all of whose parts are written; from now on it is listed.
    ///
    /// Twice is once, and of two copies at one entry the first one stays.
    ///
    /// - Throws: `LogFault.refused` if a part is missing, or the entry at its head is not of its epoch.
    func keep(_ snapshot: LogSnapshot) throws(LogFault)

    /// The snapshots that are kept, the newest first.
    ///
    /// - Throws: `LogFault`.
    func snapshots() throws(LogFault) -> [LogSnapshot]

    /// One part of a snapshot that is kept.
    ///
    /// - Throws: `LogFault.pruned` if it is gone.
    func part(_ number: Int, of snapshot: LogSnapshot) throws(LogFault) -> [UInt8]

    /// Removes some of what is below a position: entries, snapshots, and parts that no snapshot has kept.
    ///
    /// The entry at the position stays, so that the next one has one that it follows. It removes so little at once that
    /// the partition's owner may call it between two batches.
    ///
    /// - Returns: whether anything may be left.
    /// - Throws: `LogFault.refused` unless a snapshot at the position or above it is kept.
    func pruneSome(below position: Int64) throws(LogFault) -> Bool
}

extension CommitLog {
    /// Nothing is known of a log that has no history.
    package var lineage: LogLineage? { nil }

    /// Does nothing for such a log.
    package func expect(_ lineage: LogLineage) {}

    /// Removes all that `pruneSome` removes, however long it takes.
    ///
    /// - Throws: `LogFault`.
    package func prune(below position: Int64) throws(LogFault) {
        while try pruneSome(below: position) {}
    }

    /// Takes the partition, after `head`.
    ///
    /// After `unknown` the same claim is repeated, with the same head and claimant.
    ///
    /// - Throws: `LogFault`.
    package func claim(after head: LogHead, claimant: [UInt8]) throws(LogFault) -> AppendOutcome {
        try append(LogEntry(claimAfter: head, claimant: claimant))
    }
}
