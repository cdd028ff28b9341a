/// Why a store cannot follow a log.
///
/// None of them is mended by making the store anew: it may hold the only copy of what was acknowledged. It stays as it
/// is, and an operator decides.
package enum LogFollowerFault: Error, Hashable, Sendable {
    /// The log ends before the store's last entry: it has lost what it had acknowledged.
    case behind(log: LogHead, store: LogHead)
    /// The log holds another entry than the one that is in the store: it has lost that, and another owner has gone on.
    case diverged(log: LogHead, store: LogHead)
    /// The store has rows, as in this table, and no entry of a log has made them.
    case foreign(table: String)
}
