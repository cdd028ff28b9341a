import Contracts

/// The output of a partition after a commit, in sending order.
struct PartitionOutput: Equatable, Sendable {
    /// A message to a connection of the partition's endpoint.
    struct Reply: Equatable, Sendable {
        var connection: [UInt8]
        var message: WireMessage
    }

    /// A message on an outgoing link.
    struct LinkMessage: Equatable, Sendable {
        var to: PartitionAddress
        var message: WireMessage
    }

    var replies: [Reply] = []
    var settles: [Reply] = []
    var linkMessages: [LinkMessage] = []
    var work: [WorkItem] = []
    /// For the operator: quarantined links, dead letters, alarms of handlers.
    var alarms: [Alarm] = []
    /// The events in the outbox.
    var sent: [OutgoingEvent] = []
    var refusals: [RequestRefusal] = []

    mutating func append(_ other: PartitionOutput) {
        replies += other.replies
        settles += other.settles
        linkMessages += other.linkMessages
        work += other.work
        alarms += other.alarms
        sent += other.sent
        refusals += other.refusals
    }
}
