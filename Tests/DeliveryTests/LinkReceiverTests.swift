import Contracts
import Testing

@testable import Delivery

/// The table of `LinkReceiver`, pair by pair.
@Suite struct `the receiving half of a link` {
    static let home = PartitionAddress(.orders, 0)
    static let sender = PartitionAddress(.receipts, 2)
    static let wire: [UInt8] = [1]
    static let otherWire: [UInt8] = [2]

    static func attach(_ attempt: UInt64) -> LinkFrame.Attach {
        .init(from: sender, to: home, incarnation: "i", attempt: attempt, settled: 0, next: 9)
    }

    /// A receiver at 3.
    static let detached = LinkReceiver(
        from: sender,
        incarnation: "i",
        last: 3,
        lastEventID: EventID(unchecked: "e3")
    )

    /// A receiver at 3, attached on `wire` as link 7 in epoch 2.
    static func attached() -> LinkReceiver {
        var receiver = detached
        _ = receiver.attach(attach(1), connection: wire, number: 7, epoch: 2, credit: 8)
        return receiver
    }

    static func deliver(
        _ sequence: UInt64,
        to receiver: inout LinkReceiver,
        link: UInt64 = 7,
        connection: [UInt8] = wire,
        epoch: UInt64 = 2
    ) -> LinkReceiver.Decision {
        receiver.deliver(
            .init(link: link, epoch: epoch, sequence: sequence),
            eventID: EventID(unchecked: "e\(sequence)"),
            connection: connection,
            epochMatches: epoch == 2
        )
    }

    static func refusal(
        _ reason: LinkFrame.RefusalReason,
        last: UInt64,
        link: UInt64 = 7,
        epoch: UInt64 = 2
    ) -> LinkReceiver.Decision {
        .refuse(.init(link: link, epoch: epoch, last: last, reason: reason))
    }

    // MARK: The table

    @Test func `the next event is applied, and the mark moves`() {
        var receiver = Self.attached()
        #expect(Self.deliver(4, to: &receiver) == .apply)
        #expect(receiver.last == 4)
        #expect(receiver.lastEventID == EventID(unchecked: "e4"))
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `a repeated event is settled again and moves nothing`(
        sequence: UInt64
    ) {
        var receiver = Self.attached()
        let former = receiver
        #expect(Self.deliver(sequence, to: &receiver) == .repeated)
        #expect(receiver == former)
    }

    @Test(arguments: [5, 6, 100] as [UInt64]) func `an event after a gap is refused once`(sequence: UInt64) {
        var receiver = Self.attached()
        #expect(Self.deliver(sequence, to: &receiver) == Self.refusal(.gap, last: 3))
        #expect(Self.deliver(sequence, to: &receiver) == .ignore)
        #expect(receiver.last == 3)
        #expect(Self.deliver(4, to: &receiver) == .apply)
        #expect(Self.deliver(sequence + 1, to: &receiver) == Self.refusal(.gap, last: 4))
    }

    @Test(arguments: [3, 4, 5] as [UInt64]) func `nobody else's event is applied, repeated or missed`(
        sequence: UInt64
    ) {
        var receiver = Self.attached()
        let former = receiver
        let otherLink = Self.deliver(sequence, to: &receiver, link: 6)
        #expect(otherLink == Self.refusal(.unknownLink, last: 0, link: 6))
        let otherConnection = Self.deliver(sequence, to: &receiver, connection: Self.otherWire)
        #expect(otherConnection == Self.refusal(.unknownLink, last: 0))
        let otherEpoch = Self.deliver(sequence, to: &receiver, epoch: 1)
        #expect(otherEpoch == Self.refusal(.unknownLink, last: 0, epoch: 1), "in the words of the delivery")
        #expect(receiver == former)
    }

    @Test func `before an attach nothing is applied`() {
        var receiver = Self.detached
        #expect(Self.deliver(4, to: &receiver) == Self.refusal(.unknownLink, last: 0))
        #expect(receiver.settlement(epoch: 2, credit: 8) == nil)
    }

    // MARK: Attaching

    @Test func `an attach is answered with where the receiver stands`() {
        var receiver = Self.detached
        let answer = receiver.attach(Self.attach(1), connection: Self.wire, number: 7, epoch: 2, credit: 8)
        let last = EventID(unchecked: "e3")
        #expect(answer == .init(attempt: 1, link: 7, epoch: 2, last: 3, lastEventId: last, credit: 8))
    }

    @Test(arguments: [PartitionAddress(.orders, 1), PartitionAddress(.entitlements, 0), sender])
    func `an attach that is to another partition has gone astray, and the answer names it`(
        place: PartitionAddress
    ) {
        #expect(Self.attach(7).astray(at: place) == .init(attempt: 7))
        #expect(Self.attach(7).astray(at: Self.home) == nil)
    }

    @Test func `a repeated attach keeps its link number`() {
        var receiver = Self.attached()
        let answer = receiver.attach(Self.attach(1), connection: Self.wire, number: 8, epoch: 2, credit: 0)
        #expect(answer.link == 7)
        #expect(Self.deliver(4, to: &receiver) == .apply)
    }

    @Test(arguments: [(2, wire), (1, otherWire)] as [(UInt64, [UInt8])])
    func `a later attach, or one on another connection, ends the former link number`(
        attempt: UInt64,
        connection: [UInt8]
    ) {
        var receiver = Self.attached()
        let attach = Self.attach(attempt)
        let answer = receiver.attach(attach, connection: connection, number: 8, epoch: 2, credit: 8)
        #expect(answer.link == 8)
        #expect(Self.deliver(4, to: &receiver) == Self.refusal(.unknownLink, last: 0))
        #expect(Self.deliver(4, to: &receiver, link: 8, connection: connection) == .apply)
    }

    @Test func `after a new attach the same gap is refused again`() {
        var receiver = Self.attached()
        #expect(Self.deliver(6, to: &receiver) == Self.refusal(.gap, last: 3))
        _ = receiver.attach(Self.attach(2), connection: Self.wire, number: 8, epoch: 2, credit: 8)
        #expect(Self.deliver(6, to: &receiver, link: 8) == Self.refusal(.gap, last: 3, link: 8))
    }

    @Test func `a settlement says the mark and the credit of the present link`() {
        var receiver = Self.attached()
        _ = Self.deliver(4, to: &receiver)
        #expect(receiver.settlement(epoch: 2, credit: 5) == .init(link: 7, epoch: 2, last: 4, credit: 5))
    }
}
