package import Contracts

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
