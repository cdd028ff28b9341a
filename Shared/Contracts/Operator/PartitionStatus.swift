/// How a partition is.
package struct PartitionStatus: Codable, Hashable, Sendable {
    package var service: ServiceName
    package var partition: Int
    /// The process that owns the partition.
    package var pid: Int32
    /// The number of the replica that this process is.
    package var replica: Int
    /// Counts the owners of the partition.
    package var epoch: Int64
    /// Events that are sent and not settled.
    package var outbox: Int
    /// Age of the oldest of them; 0 when there is none.
    package var oldestUnsettledMs: Int64
    /// Events whose handler failed, or that queue behind one, waiting to be tried again.
    package var held: Int
    package var deadLetters: Int
    package var quarantinedLinks: Int
    /// Figures of the service by their Prometheus names.
    package var gauges: [String: Double]
    /// The version of the configuration that the process runs with; empty where nobody said.
    package var configuration: String

    package init(
        service: ServiceName,
        partition: Int,
        pid: Int32,
        replica: Int,
        epoch: Int64,
        outbox: Int,
        oldestUnsettledMs: Int64,
        held: Int,
        deadLetters: Int,
        quarantinedLinks: Int,
        gauges: [String: Double],
        configuration: String = ""
    ) {
        self.service = service
        self.partition = partition
        self.pid = pid
        self.replica = replica
        self.epoch = epoch
        self.outbox = outbox
        self.oldestUnsettledMs = oldestUnsettledMs
        self.held = held
        self.deadLetters = deadLetters
        self.quarantinedLinks = quarantinedLinks
        self.gauges = gauges
        self.configuration = configuration
    }
}
