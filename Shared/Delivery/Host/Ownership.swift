/// Who owns which partition of a service, and how many replicas share them.
///
/// Calls may block. They come from one replica: of its steward's thread, and of its partitions' own.
package protocol Ownership: Sendable {
    /// Makes this replica one of those that share the partitions; nil while another process has its number.
    func join() throws -> (any Membership)?

    /// How many replicas there are, this one included, and how many of them have a lower number.
    func census() throws -> (members: Int, rank: Int)

    /// Whether nobody owns a partition; another one may have taken it when this returns.
    func isFree(_ partition: Int) throws -> Bool

    /// Takes a partition if nobody owns it.
    func take(_ partition: Int) throws -> (any OwnedPartition)?
}

/// A replica's place among the others; it ends with the process, if not before.
package protocol Membership: AnyObject, Sendable {
    /// Whether the others see this replica; a place that was lost is taken again if it is free.
    func renew() throws -> Bool

    func release()
}

/// The right to write a partition's store; it ends with the process, if not before.
package protocol OwnedPartition: AnyObject, Sendable {
    /// If false, another process may own the partition: nothing more may be acknowledged.
    var isStillOwned: Bool { get }

    /// What a claim in the partition's log may follow; nil where ownership is a lock alone.
    var lapse: OwnerWatch.Lapse? { get }

    func release()
}

extension OwnedPartition {
    package var lapse: OwnerWatch.Lapse? { nil }
}
