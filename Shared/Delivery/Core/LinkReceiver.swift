package import Contracts

/// The receiving half of a link: what is applied, what is a repeat, what must wait.
///
/// | transfer of     | this connection, link and epoch | anything else        |
/// |-----------------|---------------------------------|----------------------|
/// | `≤ last`        | `repeated`: settle again        | refused: unknownLink |
/// | `= last + 1`    | `apply`                         | refused: unknownLink |
/// | `> last + 1`    | refused: gap, once per `last`   | refused: unknownLink |
///
/// One row per link deduplicates for ever: there is no window of time, and no set of seen ids.
package struct LinkReceiver: Equatable, Sendable {
    /// Where a link is attached at present.
    package struct Session: Equatable, Sendable {
        /// Names one connection of the wire; never used again after a reconnect.
        package var connection: [UInt8]
        package var link: UInt64
        package var attempt: UInt64
    }

    /// What becomes of one transferred event.
    package enum Decision: Equatable, Sendable {
        /// Handle it in this transaction; `last` has moved to it.
        case apply
        /// It took effect before; settle again.
        case repeated
        case refuse(LinkFrame.Refused)
        /// The same gap was refused already.
        case ignore
    }

    package let from: PartitionAddress
    package let incarnation: String
    package private(set) var last: UInt64
    package private(set) var lastEventID: EventID?
    package private(set) var session: Session?
    private var refusedGapAt: UInt64?

    package init(from: PartitionAddress, incarnation: String, last: UInt64 = 0, lastEventID: EventID? = nil) {
        self.from = from
        self.incarnation = incarnation
        self.last = last
        self.lastEventID = lastEventID
    }

    /// Takes an attach and answers where the receiver stands.
    ///
    /// `number` must be one that this epoch has not used, not even in an epoch of the same count that a restored
    /// backup has undone; it is kept only if the attach is a new one. `connection` is where the attach came from, and
    /// `replaces` whether events of another incarnation of the link took effect.
    package mutating func attach(
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

    /// Judges one transferred event; `epoch` is the transfer's, so that a refusal is understood by who sent it.
    package mutating func transfer(
        _ sequence: UInt64,
        eventID: EventID?,
        link: UInt64,
        connection: [UInt8],
        epochMatches: Bool,
        epoch: UInt64
    ) -> Decision {
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

    /// What to tell the sender after COMMIT; nil when nobody is attached.
    package func settlement(epoch: UInt64, credit: UInt64) -> LinkFrame.Settled? {
        session.map { LinkFrame.Settled(link: $0.link, epoch: epoch, last: last, credit: credit) }
    }
}
