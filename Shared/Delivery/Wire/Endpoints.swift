package import Contracts
package import ZeroMQ

/// Where the partitions of a group listen, and how others find them.
package protocol Endpoints: Sendable {
    /// Where the owner of a partition listens, or will listen.
    ///
    /// Asked again for each attach and each repeated request, because owners move.
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

/// The sockets of a group on one machine: their paths follow from service and partition, without a registry.
package struct SocketFolder: Endpoints, Hashable {
    private let folder: String

    /// The folder at `path`, such as `…/run`.
    package init(path: String) { folder = path }

    /// The path of a partition's socket.
    package func path(of partition: PartitionAddress) -> String {
        "\(folder)/\(partition.service.rawValue)/\(partition.partition).sock"
    }

    /// The path of a partition's socket as an endpoint.
    package func endpoint(of partition: PartitionAddress) -> Endpoint { .ipc(path: path(of: partition)) }
}
