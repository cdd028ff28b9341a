package import Contracts
package import ZeroMQ

/// Where the partitions of a group listen, and how others find them.
package protocol Endpoints: Sendable {
    /// Where the owner of a partition listens, or will listen.
    ///
    /// Asked again for each attach and each request, because owners move: it answers at once.
    func endpoint(of partition: PartitionAddress) -> Endpoint

    /// Where this process binds a partition that it owns.
    func boundEndpoint(of partition: PartitionAddress) -> Endpoint

    /// Where others find a partition that this process owns.
    func announcedEndpoint(of partition: PartitionAddress) -> Endpoint
}

extension Endpoints {
    /// Where others look for it, too.
    package func boundEndpoint(of partition: PartitionAddress) -> Endpoint { endpoint(of: partition) }

    /// Where everybody looks for it.
    package func announcedEndpoint(of partition: PartitionAddress) -> Endpoint { endpoint(of: partition) }
}
