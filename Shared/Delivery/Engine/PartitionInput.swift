package import Contracts
import DeliveryCore

/// The two clocks of one moment.
package struct Moment: Equatable, Sendable {
    /// Wall-clock time; it may jump.
    package var now: Timestamp
    /// Milliseconds of a clock that only moves forward.
    package var uptime: Int64

    package init(now: Timestamp, uptime: Int64) {
        self.now = now
        self.uptime = uptime
    }
}

/// What reaches a partition.
package enum PartitionInput: Equatable, Sendable {
    /// A message at the partition's endpoint: an attach, a transfer or a request.
    case arrived(WireMessage, connection: [UInt8])
    /// What the receiver at the other end of an outgoing link says.
    case answered(WireHeader, by: PartitionAddress)
    /// A hint that the wire to a receiver was made anew.
    case connected(PartitionAddress)
    /// Outside work was done.
    case worked(WorkItem, result: [UInt8])
    /// A timer may have run out.
    case tick
    /// An event that came over no link: from standard input.
    case direct([UInt8])
}

extension PartitionInput {
    /// How many messages for handlers it holds; a word about a link counts as one.
    var eventCount: Int {
        switch self {
        case .arrived(let message, _): max(1, message.body.count)
        case .answered, .connected, .worked, .tick, .direct: 1
        }
    }
}

/// What a partition has to say after a commit, in the order in which it is said.
package struct PartitionOutput: Equatable, Sendable {
    /// A message to whoever is connected to the partition's endpoint.
    package struct Reply: Equatable, Sendable {
        package var connection: [UInt8]
        package var message: WireMessage
    }

    /// A message on an outgoing link.
    package struct Transfer: Equatable, Sendable {
        package var to: PartitionAddress
        package var message: WireMessage
    }

    /// An event that lies in the outbox.
    package struct Sent: Equatable, Sendable {
        package var to: PartitionAddress
        package var event: [UInt8]
    }

    package var replies: [Reply] = []
    package var settles: [Reply] = []
    package var transfers: [Transfer] = []
    package var work: [WorkItem] = []
    /// What an operator must know: quarantined links, dead letters, what a handler found.
    package var alarms: [String] = []
    /// The events that the batch sent, in order; they lie in the outbox.
    package var sent: [Sent] = []
    /// What became of events that were not applied.
    package var refusals: [RequestRefusal] = []

    package init() {}
}
