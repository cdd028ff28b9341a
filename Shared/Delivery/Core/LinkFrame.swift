package import Contracts

/// The messages of two partitions about a link, in the terms of AMQP 1.0.
///
/// On the wire a frame is the JSON header of a message `["CF1", header, event…]`.
package enum LinkFrame: Equatable, Sendable {
    case attach(Attach)
    case attached(Attached)
    case transfer(Transfer)
    case settled(Settled)
    case refused(Refused)

    /// The sender asks for the receiver's position.
    package struct Attach: Equatable, Sendable, Codable {
        package var from: PartitionAddress
        /// A new one begins when the operator resumes a quarantined link.
        package var incarnation: String
        /// Unique among all attaches of the link, former owners' included.
        package var attempt: UInt64
        /// The last sequence known to have taken effect.
        package var settled: UInt64
        /// The next sequence to assign.
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
        package var link: UInt64
        /// Counts the owners of the receiving partition.
        package var epoch: UInt64
        package var last: UInt64
        package var lastEventId: EventID?
        /// How many events beyond `last` may be in flight.
        package var credit: UInt64
        /// Whether events of another incarnation of the link took effect: the receiver may know what the sender's
        /// store does not.
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

    /// Events with consecutive sequences, as many as fit one message.
    package struct Transfer: Equatable, Sendable, Codable {
        package var link: UInt64
        package var epoch: UInt64
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
        case gap
        /// The link number is not one of this connection and epoch.
        case unknownLink
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
