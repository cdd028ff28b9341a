import Contracts
import Testing

@testable import Delivery

/// The table of `LinkSender`, pair by pair, and what follows from several steps.
@Suite struct `the sending half of a link` {
    static let home = PartitionAddress(.orders, 0)
    static let target = PartitionAddress(.entitlements, 1)
    /// The first attempt of the owner with epoch 1.
    static let first: UInt64 = 1 << 24 + 1
    static let settledID = EventID(unchecked: "e3")

    static func attach(_ attempt: UInt64, settled: UInt64 = 3, next: UInt64 = 6) -> LinkSender.Action {
        attach("i", attempt, settled: settled, next: next)
    }

    private static func attach(
        _ incarnation: String,
        _ attempt: UInt64,
        settled: UInt64,
        next: UInt64
    ) -> LinkSender.Action {
        .attach(
            .init(
                from: home,
                to: target,
                incarnation: incarnation,
                attempt: attempt,
                settled: settled,
                next: next
            )
        )
    }

    static func answer(
        _ attempt: UInt64 = first,
        last: UInt64 = 3,
        id: EventID? = settledID,
        credit: UInt64 = 8,
        replaces: Bool = false
    ) -> LinkFrame.Attached {
        var answer = LinkFrame.Attached(attempt: attempt, link: 7, epoch: 2, last: last, credit: credit)
        (answer.lastEventId, answer.replaces) = (id, replaces)
        return answer
    }

    static func attached(
        _ attempt: UInt64,
        last: UInt64 = 3,
        id: EventID? = settledID,
        own: EventID? = settledID,
        credit: UInt64 = 8
    ) -> LinkSender.Event {
        .attached(answer(attempt, last: last, id: id, credit: credit), ownEventID: own)
    }

    static func settled(
        _ last: UInt64,
        link: UInt64 = 7,
        epoch: UInt64 = 2,
        credit: UInt64 = 8
    ) -> LinkSender.Event {
        .settled(.init(link: link, epoch: epoch, last: last, credit: credit))
    }

    static func refused(
        _ reason: LinkFrame.RefusalReason,
        last: UInt64 = 3,
        link: UInt64 = 7,
        epoch: UInt64 = 2
    ) -> LinkSender.Event {
        .refused(.init(link: link, epoch: epoch, last: last, reason: reason))
    }

    static func astray(_ attempt: UInt64) -> LinkSender.Event { .astray(.init(attempt: attempt)) }

    static func deliver(_ range: ClosedRange<UInt64>) -> LinkSender.Action {
        .deliver(range, link: 7, epoch: 2)
    }

    /// A sender whose events 4 and 5 are not settled and whose first attach has left.
    static func detached(settled: UInt64 = 3, next: UInt64 = 6) -> LinkSender {
        var sender = LinkSender(
            from: home,
            to: target,
            incarnation: "i",
            life: 1,
            settled: settled,
            next: next
        )
        _ = sender.step(.start)
        return sender
    }

    /// Both events are under way.
    static func attached(settled: UInt64 = 3, next: UInt64 = 6, credit: UInt64 = 8) -> LinkSender {
        var sender = detached(settled: settled, next: next)
        _ = sender.step(attached(first, last: settled, credit: credit))
        return sender
    }

    static func quarantined() -> LinkSender {
        var sender = detached()
        _ = sender.step(attached(first, last: 2))
        return sender
    }

    static let again: [LinkSender.Action] = [attach(first + 1), .startTimer(milliseconds: 2_000)]
    static let anew: [LinkSender.Action] = [
        attach("j", first + 1, settled: 0, next: 3),
        .startTimer(milliseconds: 2_000),
    ]
    static let pause: [LinkSender.Action] = [.startTimer(milliseconds: 250)]
    static let resumed = LinkSender.Event.resumed(incarnation: "j", settled: 0, next: 3)

    // MARK: The table

    @Test(arguments: [
        (LinkSender.Event.start, again),
        (.connected, again),
        (.silent, [attach(first + 1), .startTimer(milliseconds: 4_000)]),
        (.enqueued(next: 8), []),
        (attached(first), [deliver(4...5), .startTimer(milliseconds: 2_000)]),
        (attached(first - 1), []),
        (attached(first + 1), []),
        (astray(first), pause),
        (astray(first - 1), []),
        (settled(4), []),
        (refused(.gap), []),
        (refused(.unknownLink), []),
        (resumed, anew),
    ]) func `detached, it waits for the answer to its attach`(
        event: LinkSender.Event,
        actions: [LinkSender.Action]
    ) {
        var sender = Self.detached()
        #expect(sender.step(event) == actions)
    }

    @Test(arguments: [
        (LinkSender.Event.start, again),
        (.connected, again),
        (.silent, [attach(first + 1), .startTimer(milliseconds: 4_000)]),
        (.enqueued(next: 8), [deliver(6...7)]),
        (attached(first), []),
        (attached(first + 1), []),
        (astray(first), []),
        (settled(4), [.settle(through: 4), .startTimer(milliseconds: 2_000)]),
        (settled(5), [.settle(through: 5), .startTimer(milliseconds: LinkSender.idleMilliseconds)]),
        (refused(.gap), [deliver(4...5), .startTimer(milliseconds: 2_000)]),
        (refused(.unknownLink), again),
        (resumed, anew),
    ]) func `attached, it sends and moves on`(event: LinkSender.Event, actions: [LinkSender.Action]) {
        var sender = Self.attached()
        #expect(sender.step(event) == actions)
    }

    @Test(arguments: [
        (LinkSender.Event.start, []),
        (.connected, []),
        (.silent, []),
        (.enqueued(next: 8), []),
        (attached(first), []),
        (attached(first + 1), []),
        (astray(first), []),
        (settled(4), []),
        (refused(.gap), []),
        (refused(.unknownLink), []),
        (resumed, anew),
    ]) func `quarantined, it waits for the operator`(event: LinkSender.Event, actions: [LinkSender.Action]) {
        var sender = Self.quarantined()
        #expect(sender.step(event) == actions)
        #expect(sender.quarantine == (event == Self.resumed ? nil : .receiverLostEvents))
    }

    @Test func `a quarantine that the store remembers holds from the start`() {
        var sender = LinkSender(
            from: Self.home,
            to: Self.target,
            incarnation: "i",
            life: 2,
            settled: 3,
            next: 6,
            quarantine: .differentHistory
        )
        #expect(sender.step(.start).isEmpty)
        #expect(sender.step(.enqueued(next: 9)).isEmpty)
        #expect(sender.depth == 5)
        #expect(!sender.isAttached)
    }

    // MARK: Restored stores

    @Test(arguments: [
        (
            attached(first, last: 2, id: EventID(unchecked: "e2"), own: nil),
            LinkSender.Quarantine.receiverLostEvents
        ),
        (attached(first, last: 0, id: nil, own: nil), .receiverLostEvents),
        (attached(first, last: 6, id: EventID(unchecked: "e6"), own: nil), .senderLostEvents),
        (attached(first, last: 9, id: EventID(unchecked: "e9"), own: nil), .senderLostEvents),
        (attached(first, last: 3, id: EventID(unchecked: "other"), own: settledID), .differentHistory),
        (
            attached(first, last: 4, id: EventID(unchecked: "other"), own: EventID(unchecked: "e4")),
            .differentHistory
        ),
        (attached(first, last: 4, id: EventID(unchecked: "e4"), own: nil), .differentHistory),
    ]) func `stores that contradict each other are quarantined`(
        answer: LinkSender.Event,
        reason: LinkSender.Quarantine
    ) {
        var sender = Self.detached()
        #expect(sender.step(answer) == [.quarantine(reason), .stopTimer])
        #expect(sender.quarantine == reason)
        #expect(!sender.isAttached)
        #expect(sender.settled == 3, "nothing is taken for settled")
    }

    @Test(arguments: [
        (answer(), true), (answer(last: 4, credit: 0), true), (answer(first + 1), false),
        (answer(id: nil), false), (answer(last: 6), false), (answer(replaces: true), false),
    ])
    func `a receiver shows that nothing is missing here when it knows the same last event of the only life`(
        answer: LinkFrame.Attached,
        isShown: Bool
    ) {
        var sender = Self.detached()
        #expect(!sender.isConfirmed)
        _ = sender.step(.attached(answer, ownEventID: Self.settledID))
        #expect(sender.isConfirmed == isShown)
        _ = sender.step(.silent)
        #expect(sender.isConfirmed == isShown, "a reconnect takes nothing back")
        _ = sender.step(.resumed(incarnation: "j", settled: 0, next: 1))
        #expect(!sender.isConfirmed)
    }

    @Test func `a receiver that took nothing yet shows it, too`() {
        var sender = Self.detached(settled: 0, next: 1)
        _ = sender.step(Self.attached(Self.first, last: 0, id: nil, own: nil))
        #expect(sender.isConfirmed)
    }

    @Test func `what the receiver has beyond the last settlement is settled`() {
        var sender = Self.detached()
        let actions = sender.step(
            Self.attached(Self.first, last: 4, id: EventID(unchecked: "e4"), own: EventID(unchecked: "e4"))
        )
        #expect(actions == [.settle(through: 4), Self.deliver(5...5), .startTimer(milliseconds: 2_000)])
        #expect(sender.depth == 1)
    }

    @Test func `a link that nothing has crossed yet agrees`() {
        var sender = Self.detached(settled: 0, next: 1)
        let actions = sender.step(Self.attached(Self.first, last: 0, id: nil, own: nil))
        #expect(actions == [.startTimer(milliseconds: LinkSender.idleMilliseconds)])
        #expect(sender.isAttached)
    }

    // MARK: Strangers

    @Test(arguments: [
        settled(4, link: 6), settled(4, epoch: 1), settled(2), settled(6), settled(9),
        refused(.gap, link: 6), refused(.gap, epoch: 1), refused(.gap, last: 2), refused(.gap, last: 5),
        refused(.unknownLink, link: 6), refused(.unknownLink, epoch: 1),
    ]) func `words for another link, another epoch or another time change nothing`(event: LinkSender.Event) {
        var sender = Self.attached()
        let former = sender
        #expect(sender.step(event).isEmpty)
        #expect(sender == former)
    }

    @Test func `no two lives of a sender make the same attempt`() {
        var attempts: Set<UInt64> = []
        for epoch in 1...3 as ClosedRange<UInt64> {
            var sender = LinkSender(
                from: Self.home,
                to: Self.target,
                incarnation: "i",
                life: epoch,
                settled: 0,
                next: 1
            )
            for event in [.start, .connected, .silent, .resumed(incarnation: "j", settled: 0, next: 1)]
                as [LinkSender.Event]
            {
                guard case .attach(let frame)? = sender.step(event).first else { continue }
                attempts.insert(frame.attempt)
            }
        }
        #expect(attempts.count == 12)
    }
}
