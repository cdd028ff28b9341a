package import Contracts
package import ZeroMQ

/// The partitions of a group whose hosts speak over `tcp://`.
package struct HostEndpoints: Endpoints {
    private let address: String
    private let listening: String
    private let ports: FixedPorts
    private let owner: @Sendable (PartitionAddress) -> Endpoint?

    /// Others reach this host at `address`; its own partitions are bound at `listening`, a numeric address.
    ///
    /// `owner` says where a partition's owner was last said to listen; a partition of which nothing is said is this
    /// host's to take.
    package init(
        address: String,
        listening: String,
        ports: FixedPorts,
        owner: @escaping @Sendable (PartitionAddress) -> Endpoint? = { _ in nil }
    ) {
        self.address = address
        self.listening = listening
        self.ports = ports
        self.owner = owner
    }

    /// What its owner announced, or will announce if this host takes it.
    package func endpoint(of partition: PartitionAddress) -> Endpoint {
        owner(partition) ?? announcedEndpoint(of: partition)
    }

    /// The listening address, which need not be the one that others know.
    package func boundEndpoint(of partition: PartitionAddress) -> Endpoint {
        endpoint(of: partition, at: listening)
    }

    /// This host's address and the partition's port.
    package func announcedEndpoint(of partition: PartitionAddress) -> Endpoint {
        endpoint(of: partition, at: address)
    }

    private func endpoint(of partition: PartitionAddress, at host: String) -> Endpoint {
        .tcp(host: host, port: ports.port(of: partition))
    }
}
