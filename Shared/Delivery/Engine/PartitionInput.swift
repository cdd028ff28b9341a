package import Contracts
import DeliveryCore

/// One moment on both clocks.
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

/// An input of a partition.
package enum PartitionInput: Equatable, Sendable {
    /// A message at the partition's endpoint: an attach, a transfer or a request.
    case arrived(WireMessage, connection: [UInt8])
    /// A frame from the receiver of an outgoing link.
    case answered(WireHeader, by: PartitionAddress)
    /// A hint that the wire to a receiver reconnected.
    case connected(PartitionAddress)
    case worked(WorkItem, result: [UInt8])
    case tick
    /// An event from standard input, without a link.
    case direct([UInt8])
}

extension PartitionInput {
    /// The number of messages for handlers; a link frame counts as one.
    var eventCount: Int {
        switch self {
        case .arrived(let message, _): max(1, message.body.count)
        case .answered, .connected, .worked, .tick, .direct: 1
        }
    }
}

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
}
