/// The status of a partition.
package struct PartitionStatus: Codable, Hashable, Sendable {
    package var service: ServiceName
    package var partition: Int
    /// The owning process.
    package var pid: Int32
    /// The replica number of the process.
    package var replica: Int
    /// Counts the owners of the partition.
    package var epoch: Int64
    /// Events sent but not settled.
    package var outbox: Int
    /// Age of the oldest event in `outbox`; 0 when empty.
    package var oldestUnsettledMs: Int64
    /// Events waiting for a retry, their own or an earlier one's.
    package var delayed: Int
    /// Outside work and timers' turns that wait for their release.
    package var parkedWork: Int
    package var deadLetters: Int
    package var quarantinedLinks: Int
    /// The receivers of links that have had no answer for 10 s.
    package var unansweredLinks: [PartitionAddress] = []
    /// The service's metrics by Prometheus name.
    package var gauges: [String: Double]
    /// What the owner has done since it took the partition, by name; `process_` stands for all of its process.
    package var counters: [String: Int] = [:]
    /// The messages that handlers have handled or refused since then, by type.
    package var messages: [String: Int] = [:]
    /// How long their handlers took, µs, by type; commits are no part of it.
    package var messageMicroseconds: [String: Int] = [:]
    /// The alarms since then, by `AlarmKind`.
    package var alarms: [String: Int] = [:]
    /// The process's configuration version; empty when unknown.
    package var configuration: String = ""
    /// The last entry of the partition's commit log that its owner knows; nil where there is no log.
    package var logPosition: Int64?
}
