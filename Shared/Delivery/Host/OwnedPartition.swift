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
