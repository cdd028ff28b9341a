import Contracts

/// The receiving half of a link: decides what is applied, repeated or refused.
///
/// | delivery of     | this connection, link and epoch | anything else        |
/// |-----------------|---------------------------------|----------------------|
/// | `≤ last`        | `repeated`: settle again        | refused: unknownLink |
/// | `= last + 1`    | `apply`                         | refused: unknownLink |
/// | `> last + 1`    | refused: gap, once per `last`   | refused: unknownLink |
///
/// An attach that is to another partition does not come here (`LinkFrame.Attach.astray`).
///
/// One row per link deduplicates for ever, without a time window or a set of seen ids.
struct LinkReceiver: Equatable, Sendable {
    /// The current attachment of a link.
    struct Session: Equatable, Sendable {
        /// One connection of the wire; a reconnect gets another.
        var connection: [UInt8]
        var link: UInt64
        var attempt: UInt64
    }

    /// What happens to one delivered event.
    enum Decision: Equatable, Sendable {
        /// Handle it in this transaction; `last` has moved to it.
        case apply
        /// It took effect before; settle again.
        case repeated
        case refuse(LinkFrame.Refused)
        /// The same gap was refused already.
        case ignore
    }

    let from: PartitionAddress
    let incarnation: String
    private(set) var last: UInt64 = 0
    private(set) var lastEventID: EventID?
    private(set) var session: Session?
    private(set) var refusedGapAt: UInt64?

    /// Answers an attach with the receiver's position.
    ///
    /// `number` must never have been used in an epoch of this count, not even one that a restored backup has undone;
    /// it is stored only for a new attach. `replaces` says whether events of another incarnation took effect.
    mutating func attach(
        _ attach: LinkFrame.Attach,
        connection: [UInt8],
        number: UInt64,
        epoch: UInt64,
        credit: UInt64,
        replaces: Bool = false
    ) -> LinkFrame.Attached {
        if session?.connection != connection || session?.attempt != attach.attempt {
            session = Session(connection: connection, link: number, attempt: attach.attempt)
            refusedGapAt = nil
        }
        return LinkFrame.Attached(
            attempt: attach.attempt,
            link: session?.link ?? number,
            epoch: epoch,
            last: last,
            lastEventId: lastEventID,
            credit: credit,
            replaces: replaces
        )
    }

    /// Decides on one delivered event; a refusal has the delivery's epoch, so that its sender understands it.
    mutating func deliver(
        _ delivery: LinkFrame.Delivery,
        eventID: EventID?,
        connection: [UInt8],
        epochMatches: Bool
    ) -> Decision {
        let (link, epoch, sequence) = (delivery.link, delivery.epoch, delivery.sequence)
        guard epochMatches, let session, session.link == link, session.connection == connection else {
            return .refuse(.init(link: link, epoch: epoch, last: 0, reason: .unknownLink))
        }
        if sequence <= last { return .repeated }
        guard sequence == last + 1 else {
            guard refusedGapAt != last else { return .ignore }
            refusedGapAt = last
            return .refuse(.init(link: link, epoch: epoch, last: last, reason: .gap))
        }
        last = sequence
        lastEventID = eventID
        return .apply
    }

    /// The settlement to send after COMMIT; nil when nobody is attached.
    func settlement(epoch: UInt64, credit: UInt64) -> LinkFrame.Settled? {
        session.map { LinkFrame.Settled(link: $0.link, epoch: epoch, last: last, credit: credit) }
    }
}
