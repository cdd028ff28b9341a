package import Database

/// What became of a renewal.
package enum OwnerRenewal: Hashable, Sendable {
    /// It is durable, and nobody had claimed.
    case renewed(counter: Int64)
    /// Another one has claimed the partition.
    case taken
    /// The log ends before the owner's last entry.
    case behind(LogHead)
    /// It may have been written or not.
    case unknown(String)
}
