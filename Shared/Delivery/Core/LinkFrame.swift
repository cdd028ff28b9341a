package import Contracts

/// What two partitions say to each other about a link; the terms are AMQP 1.0's.
///
/// On the wire a frame is the JSON header of a message `["CF1", header, event…]`.
package enum LinkFrame: Equatable, Sendable {
    case attach(Attach)
    case attached(Attached)
    case transfer(Transfer)
    case settled(Settled)
    case refused(Refused)

    /// The sender asks where the receiver stands.
    package struct Attach: Equatable, Sendable, Codable {
        /// The partition that sends.
        package var from: PartitionAddress
        /// The life of the link; a new one begins when the operator resumes a quarantined link.
        package var incarnation: String
        /// Tells this attach from all earlier ones of the link, in this and every former life of the sender.
        package var attempt: UInt64
        /// The last sequence of which the sender knows that it took effect.
        package var settled: UInt64
        /// The next sequence that the sender will give away.
        package var next: UInt64

        package init(
            from: PartitionAddress,
            incarnation: String,
            attempt: UInt64,
            settled: UInt64,
            next: UInt64
        ) {
            self.from = from
            self.incarnation = incarnation
            self.attempt = attempt
            self.settled = settled
            self.next = next
        }
    }

    /// The receiver's answer to an attach.
    package struct Attached: Equatable, Sendable, Codable {
        package var attempt: UInt64
        /// A number valid for this connection and epoch only.
        package var link: UInt64
        /// Counts the owners of the receiving partition.
        package var epoch: UInt64
        /// The last sequence that took effect.
        package var last: UInt64
        /// The id of the event at `last`; nil when nothing was received yet.
        package var lastEventId: EventID?
        /// How many events beyond `last` may be under way.
        package var credit: UInt64
        /// Whether the receiver has taken events of another incarnation of the link: it may know what the sender's store
        /// does not.
        package var replaces: Bool

        package init(
            attempt: UInt64,
            link: UInt64,
            epoch: UInt64,
            last: UInt64,
            lastEventId: EventID?,
            credit: UInt64,
            replaces: Bool = false
        ) {
            self.attempt = attempt
            self.link = link
            self.epoch = epoch
            self.last = last
            self.lastEventId = lastEventId
            self.credit = credit
            self.replaces = replaces
        }
    }

    /// A run of events with consecutive sequences; one message carries as many as fit its size.
    package struct Transfer: Equatable, Sendable, Codable {
        package var link: UInt64
        package var epoch: UInt64
        /// The sequence of the first event in the message.
        package var sequence: UInt64

        package init(link: UInt64, epoch: UInt64, sequence: UInt64) {
            self.link = link
            self.epoch = epoch
            self.sequence = sequence
        }
    }

    /// Everything up to `last` has taken effect and is durable.
    package struct Settled: Equatable, Sendable, Codable {
        package var link: UInt64
        package var epoch: UInt64
        package var last: UInt64
        package var credit: UInt64

        package init(link: UInt64, epoch: UInt64, last: UInt64, credit: UInt64) {
            self.link = link
            self.epoch = epoch
            self.last = last
            self.credit = credit
        }
    }

    /// Why a transfer was not applied.
    package enum RefusalReason: String, CaseIterable, Sendable, Codable {
        /// Something between `last` and the transfer is missing.
        case gap
        /// The link number is not one of this connection and epoch.
        case unknownLink
        /// The event is larger than a receiver takes.
        case tooLarge
    }

    /// A transfer was not applied.
    package struct Refused: Equatable, Sendable, Codable {
        package var link: UInt64
        package var epoch: UInt64
        package var last: UInt64
        package var reason: RefusalReason

        package init(link: UInt64, epoch: UInt64, last: UInt64, reason: RefusalReason) {
            self.link = link
            self.epoch = epoch
            self.last = last
            self.reason = reason
        }
    }
}
