package import Contracts
package import ZeroMQ

/// Where the partitions of a group listen, and how others find them.
package protocol Endpoints: Sendable {
    /// Where the owner of a partition listens, or will listen.
    ///
    /// Asked again for each attach and each repeated request, because owners move.
    func endpoint(of partition: PartitionAddress) -> Endpoint
}
