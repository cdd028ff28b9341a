package import Database
package import ZeroMQ

/// The commit log of one partition, and the counter that says that its owner lives; one thread uses it.
package protocol PartitionLog: AnyObject {
    var commits: any CommitLog { get }

    /// Raises the counter, if the log's last claim is that of `head`; without an endpoint its owner leaves.
    ///
    /// - Throws: `LogFault`, but for `unreachable`: that is `unknown`.
    func renew(at head: LogHead, endpoint: Endpoint?) throws -> OwnerRenewal
}
