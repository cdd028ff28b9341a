package import Contracts
package import ZeroMQ

/// The ports of a group on `tcp://`, the same on every host: from a base on service by service, and within a service
/// partition by partition.
package struct FixedPorts: Hashable, Sendable {
    package let base: UInt16
    private let partitions: Int

    /// The ports of services with so many partitions each; nil if there are not so many ports from `base` on.
    package init?(base: UInt16, partitions: Int) {
        let last = Int(base) + ServiceName.allCases.count * partitions - 1
        guard base > 0, partitions > 0, last <= Int(UInt16.max) else { return nil }
        self.base = base
        self.partitions = partitions
    }

    /// All of them: one rule of a firewall.
    package var range: ClosedRange<Int> {
        Int(base)...(Int(base) + ServiceName.allCases.count * partitions - 1)
    }

    /// The port of a partition; another group's partition may have one that is nobody's here.
    package func port(of partition: PartitionAddress) -> UInt16 {
        let service = ServiceName.allCases.firstIndex(of: partition.service) ?? 0
        return UInt16(clamping: Int(base) + service * partitions + partition.partition)
    }
}

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
