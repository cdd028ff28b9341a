import Glibc

/// The named places at which a test may end a process with SIGKILL.
///
/// `COUNTERFOIL_CRASH_AT=<service>.<point>:<n>` ends it at the n-th time; several, one per service, are separated by
/// commas. Only homes made for tests obey it.
package enum CrashPoint: String, CaseIterable, Sendable {
    /// The lock of a partition is taken, its store is not open yet.
    case afterLock
    /// The new epoch is committed, the endpoint is not bound yet.
    case afterEpoch
    /// Everything of a batch is written, nothing is durable.
    case beforeCommit
    /// The batch is durable, nothing has been sent.
    case afterCommit
    /// Replies have left, settles and deliveries have not.
    case afterReply
    /// Settles have left, deliveries have not.
    case afterSettle
    /// Deliveries have left.
    case afterDelivery
    /// Outside work was done, its result is not written.
    case afterWork
    /// A polite end: the endpoint is closed, the lock is still held.
    case beforeUnlock
    /// The gateway has a valid request and has sent it to no service.
    case beforeRequest
    /// A service has acknowledged, the gateway has not replied.
    case afterRequest
    /// The gateway is about to respond.
    case beforeAnswer
    /// `counterfoil catalog load` has its lock, and has written nothing.
    case catalogLocked
    /// Its temporary file is there, and empty.
    case catalogOpened
    /// The temporary file is whole, but not durable.
    case catalogWritten
    /// The temporary file is durable, and not in its place.
    case catalogSynced
    /// The new catalog is in its place, which is not durable yet.
    case catalogReplaced
    /// `counterfoil restore` has copied stores beside those in their place.
    case restoreStaged
    /// The links of the stores that stay begin anew.
    case restoreRedriven
    /// The log of the store in its place is gone.
    case restoreUnlinked
    /// A restored store is in its place.
    case restoreReplaced
    /// `counterfoil move` has made the tables of the log.
    case moveBegun
    /// The log of a store has claims alone.
    case moveClaimed
    /// The copy that is to be a snapshot lies beside the store.
    case moveCopied
    /// The copy is in the log, which does not list it.
    case moveSent
    /// The log lists the snapshot.
    case moveKept
    /// The log has nothing before the snapshot.
    case movePruned
    /// A store that the log has made lies beside the other one.
    case moveRemade
    /// A store and the one of its log are the same.
    case moveProven
    /// The log has the catalog, and no store says that it follows a log.
    case movePublished
    /// A store says so, and is not closed.
    case moveNoted
    /// It is closed.
    case moveMarked
    /// The configuration names the log.
    case moveConfigured
}
