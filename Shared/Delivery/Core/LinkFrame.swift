import Contracts

/// The messages of two partitions about a link, in the terms of AMQP 1.0.
///
/// On the wire a frame is the JSON header of a message `["CF1", header, event…]`.
enum LinkFrame: Equatable, Sendable {
    case attach(Attach)
    case attached(Attached)
    case astray(Astray)
    case delivery(Delivery)
    case settled(Settled)
    case refused(Refused)

    /// The sender asks for the receiver's position.
    struct Attach: Equatable, Sendable, Codable {
        var from: PartitionAddress
        /// Whom the sender means; a stale address may lead to another one.
        var to: PartitionAddress
        /// A new one begins when the operator resumes a quarantined link.
        var incarnation: String
        /// Unique among all attaches of the link, former owners' included.
        var attempt: UInt64
        /// The last sequence known to have taken effect.
        var settled: UInt64
        /// The next sequence to assign.
        var next: UInt64

        /// What a partition answers that is not meant; nil for the one that is.
        func astray(at partition: PartitionAddress) -> Astray? {
            to == partition ? nil : Astray(attempt: attempt)
        }
    }

    /// An attach came to another partition than the one it is to: nothing was attached.
    struct Astray: Equatable, Sendable, Codable {
        var attempt: UInt64
    }

    /// The receiver's answer to an attach.
    struct Attached: Equatable, Sendable, Codable {
        var attempt: UInt64
        var link: UInt64
        /// Counts the owners of the receiving partition.
        var epoch: UInt64
        var last: UInt64
        var lastEventId: EventID?
        /// How many events beyond `last` may be in flight.
        var credit: UInt64
        /// Whether events of another incarnation of the link took effect: the receiver may know what the sender's
        /// store does not.
        var replaces = false
    }

    /// Events with consecutive sequences, as many as fit one message.
    struct Delivery: Equatable, Sendable, Codable {
        var link: UInt64
        var epoch: UInt64
        var sequence: UInt64
    }

    /// Everything up to `last` has taken effect and is durable.
    struct Settled: Equatable, Sendable, Codable {
        var link: UInt64
        var epoch: UInt64
        var last: UInt64
        var credit: UInt64
    }

    /// Why a delivery was not applied.
    enum RefusalReason: String, CaseIterable, Sendable, Codable {
        case gap
        /// The link number is not one of this connection and epoch.
        case unknownLink
    }

    /// A delivery was not applied.
    struct Refused: Equatable, Sendable, Codable {
        var link: UInt64
        var epoch: UInt64
        var last: UInt64
        var reason: RefusalReason
    }
}
