/// The right to write a partition's store; it ends with the process, if not before.
package protocol OwnedPartition: AnyObject, Sendable {
    /// If false, another process may own the partition: nothing more may be acknowledged.
    var isStillOwned: Bool { get }

    func release()
}
