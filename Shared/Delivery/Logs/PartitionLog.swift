package import Contracts
package import Database
package import ZeroMQ

/// The commit logs of the partitions of a group that has several hosts.
package protocol PartitionLogs: Sendable {
    /// The log of a partition, for the thread that calls.
    ///
    /// `whileWaiting` is called several times a second while a call of it waits, on that thread.
    func open(
        _ partition: PartitionAddress,
        whileWaiting: @escaping () -> Void
    ) throws -> any PartitionLog

    /// What is seen of a partition's owner now; any thread may ask.
    ///
    /// - Throws: `LogFault`.
    func sign(of partition: PartitionAddress) throws -> OwnerSign

    /// Says that nobody may claim a partition before an operator has looked; the first reason stays.
    ///
    /// Any thread may say it.
    ///
    /// - Throws: `LogFault`.
    func quarantine(_ partition: PartitionAddress, _ why: String) throws
}

/// The commit log of one partition, and the counter that says that its owner lives; one thread uses it.
package protocol PartitionLog: AnyObject {
    var commits: any CommitLog { get }

    /// Raises the counter, if the log's last claim is that of `head`; without an endpoint its owner leaves.
    ///
    /// - Throws: `LogFault`, but for `unreachable`: that is `unknown`.
    func renew(at head: LogHead, endpoint: Endpoint?) throws -> OwnerRenewal
}

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
