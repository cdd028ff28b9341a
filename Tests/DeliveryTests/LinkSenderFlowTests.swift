import Contracts
import Testing

@testable import Delivery

/// What a sender does over several steps: window, going back, silence.
@Suite struct `the flow of a sender` {
    typealias Sender = `the sending half of a link`

    @Test func `an event on a link at rest starts the timer, the next does not start it again`() {
        var sender = Sender.attached(settled: 3, next: 4)
        let first = sender.step(.enqueued(next: 5))
        #expect(first == [Sender.deliver(4...4), .startTimer(milliseconds: 2_000)])
        #expect(sender.step(.enqueued(next: 6)) == [Sender.deliver(5...5)])
    }

    @Test func `no more is under way than there is credit`() {
        var sender = Sender.detached(settled: 3, next: 9)
        let first = sender.step(Sender.attached(Sender.first, credit: 2))
        #expect(first == [Sender.deliver(4...5), .startTimer(milliseconds: 2_000)])
        #expect(sender.step(.enqueued(next: 10)).isEmpty)
        let second = sender.step(Sender.settled(4, credit: 2))
        #expect(second == [.settle(through: 4), Sender.deliver(6...6), .startTimer(milliseconds: 2_000)])
        #expect(sender.step(Sender.settled(4, credit: 4)) == [Sender.deliver(7...8)])
    }

    @Test func `without credit it asks again after a silence`() {
        var sender = Sender.detached()
        #expect(sender.step(Sender.attached(Sender.first, credit: 0)) == [.startTimer(milliseconds: 2_000)])
        #expect(sender.step(.silent) == [Sender.attach(Sender.first + 1), .startTimer(milliseconds: 4_000)])
        let fed = sender.step(Sender.attached(Sender.first + 1))
        #expect(fed == [Sender.deliver(4...5), .startTimer(milliseconds: 4_000)])
    }

    @Test func `an answer is owed to an attach and to what is under way, not where nothing may be sent`() {
        var sender = Sender.detached()
        #expect(sender.awaitsAnswer)
        _ = sender.step(Sender.attached(Sender.first, credit: 1))
        #expect(sender.awaitsAnswer && sender.answers == 1)
        _ = sender.step(Sender.settled(4, credit: 0))
        #expect(!sender.awaitsAnswer && sender.answers == 2, "event 5 waits for credit")
        _ = sender.step(Sender.settled(4, credit: 1))
        #expect(sender.awaitsAnswer)
        _ = sender.step(Sender.settled(5))
        #expect(!sender.awaitsAnswer)
        _ = sender.step(.silent)
        #expect(sender.awaitsAnswer)
        #expect(!Sender.quarantined().awaitsAnswer)
    }

    @Test func `at a stale address it keeps what it has, pauses, and goes on where the receiver is`() {
        var sender = Sender.attached()
        _ = sender.step(Sender.refused(.unknownLink))
        let astray = (Sender.first + 1, Sender.first + 2)
        #expect(sender.step(Sender.astray(astray.0)) == Sender.pause)
        #expect(sender.step(.silent) == [Sender.attach(astray.1), .startTimer(milliseconds: 4_000)])
        #expect(sender.step(Sender.astray(astray.0)).isEmpty, "the same word again")
        #expect(sender.step(Sender.astray(astray.1)) == Sender.pause)
        #expect(sender.awaitsAnswer && sender.answers == 2, "another partition's word is no answer")
        #expect(sender.depth == 2 && sender.quarantine == nil)
        #expect(sender.step(.connected) == [Sender.attach(astray.1 + 1), .startTimer(milliseconds: 2_000)])
        let found = sender.step(Sender.attached(astray.1 + 1))
        #expect(found == [Sender.deliver(4...5), .startTimer(milliseconds: 2_000)])
    }

    @Test func `any credit is borne`() {
        var sender = Sender.detached()
        let actions = sender.step(Sender.attached(Sender.first, credit: .max))
        #expect(actions == [Sender.deliver(4...5), .startTimer(milliseconds: 2_000)])
        #expect(sender.step(Sender.settled(4, credit: .max)).first == .settle(through: 4))
        #expect(sender.step(.enqueued(next: 7)) == [Sender.deliver(6...6)])
    }

    @Test func `while it attaches again it sends nothing and hears nothing from the former link`() {
        var sender = Sender.attached()
        #expect(sender.step(.connected) == Sender.again)
        #expect(!sender.isAttached)
        #expect(sender.step(.enqueued(next: 7)).isEmpty)
        #expect(sender.step(Sender.settled(4)).isEmpty)
        let answer = sender.step(Sender.attached(Sender.first + 1))
        #expect(answer == [Sender.deliver(4...6), .startTimer(milliseconds: 2_000)])
    }

    @Test func `it goes back once for each value of last`() {
        var sender = Sender.attached(settled: 3, next: 9)
        let first = sender.step(Sender.refused(.gap))
        #expect(first == [Sender.deliver(4...8), .startTimer(milliseconds: 2_000)])
        #expect(sender.step(Sender.refused(.gap)).isEmpty)
        #expect(sender.step(Sender.settled(5)).first == .settle(through: 5))
        let second = sender.step(Sender.refused(.gap, last: 6))
        #expect(second == [Sender.deliver(7...8), .startTimer(milliseconds: 2_000)])
    }

    @Test func `what was settled meanwhile is not sent again after going back without credit`() {
        var sender = Sender.attached(settled: 3, next: 9)
        #expect(sender.step(Sender.settled(3, credit: 0)).isEmpty)
        #expect(sender.step(Sender.refused(.gap)) == [.startTimer(milliseconds: 2_000)])
        #expect(sender.step(Sender.settled(6)).dropFirst().first == Sender.deliver(7...8))
    }

    @Test func `silence doubles up to five seconds and progress ends it`() {
        var sender = Sender.detached()
        let silences = (0..<3).map { _ in sender.step(.silent).last }
        let timers = [4_000, 5_000, 5_000].map { LinkSender.Action.startTimer(milliseconds: $0) }
        #expect(silences == timers)
        let answer = sender.step(
            Sender.attached(
                Sender.first + 3,
                last: 4,
                id: EventID(unchecked: "e4"),
                own: EventID(unchecked: "e4")
            )
        )
        #expect(answer.last == .startTimer(milliseconds: 2_000))
    }

    @Test func `an answer without progress does not make it more talkative`() {
        var sender = Sender.detached()
        _ = sender.step(.silent)
        #expect(sender.step(Sender.attached(Sender.first + 1)).last == .startTimer(milliseconds: 4_000))
    }

    @Test func `a link at rest asks once a minute, and as often as any when it gets no answer`() {
        var sender = Sender.attached(settled: 3, next: 4)
        let asks = sender.step(.silent)
        #expect(asks == [Sender.attach(Sender.first + 1, next: 4), .startTimer(milliseconds: 2_000)])
        #expect(sender.step(.silent).last == .startTimer(milliseconds: 4_000))
        #expect(sender.step(Sender.attached(Sender.first + 2)) == [.startTimer(milliseconds: 60_000)])
    }

    @Test func `a restored receiver is found out though its link is at rest`() {
        var sender = Sender.attached(settled: 3, next: 4)
        _ = sender.step(.silent)
        let answer = sender.step(
            Sender.attached(Sender.first + 1, last: 1, id: EventID(unchecked: "e1"), own: nil)
        )
        #expect(answer == [.quarantine(.receiverLostEvents), .stopTimer])
    }

    @Test func `a new incarnation begins with what its rows are numbered`() {
        var sender = Sender.quarantined()
        #expect(sender.step(Sender.resumed) == Sender.anew)
        #expect(sender.step(Sender.attached(Sender.first)).isEmpty, "an answer to the former life")
        let answer = sender.step(Sender.attached(Sender.first + 1, last: 0, id: nil, own: nil))
        #expect(answer == [Sender.deliver(1...2), .startTimer(milliseconds: 2_000)])
    }
}
