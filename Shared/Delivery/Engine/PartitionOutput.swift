package import Contracts

/// The output of a partition after a commit, in sending order.
package struct PartitionOutput: Equatable, Sendable {
    /// A message to a connection of the partition's endpoint.
    package struct Reply: Equatable, Sendable {
        package var connection: [UInt8]
        package var message: WireMessage
    }

    /// A message on an outgoing link.
    package struct Transfer: Equatable, Sendable {
        package var to: PartitionAddress
        package var message: WireMessage
    }

    /// An event in the outbox.
    package struct Sent: Equatable, Sendable {
        package var to: PartitionAddress
        package var event: [UInt8]
    }

    package var replies: [Reply] = []
    package var settles: [Reply] = []
    package var transfers: [Transfer] = []
    package var work: [WorkItem] = []
    /// For the operator: quarantined links, dead letters, alarms of handlers.
    package var alarms: [String] = []
    package var sent: [Sent] = []
    package var refusals: [RequestRefusal] = []

    package init() {}

    mutating func append(_ other: PartitionOutput) {
        replies += other.replies
        settles += other.settles
        transfers += other.transfers
        work += other.work
        alarms += other.alarms
        sent += other.sent
        refusals += other.refusals
    }
}
