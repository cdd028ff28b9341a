package import Contracts
package import ZeroMQ

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
