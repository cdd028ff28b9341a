import Contracts
import ReceiptsCore
import Testing

@Suite struct `a claim` {
    /// Every state, with the fields that make a difference.
    static let states: [Claim] = [
        Claim(),
        Claim(state: .proposed(.token(Sample.token)), statement: Sample.statement(10), attempt: 1),
        Claim(
            state: .proposed(.caller(Sample.alice)),
            statement: Sample.statement(10),
            attempt: 2,
            proposer: Sample.byAlice
        ),
        Claim(
            state: .proposed(.order(Sample.order)),
            statement: Sample.statement(10),
            attempt: 2,
            proposer: Sample.byBob,
            isUnsaid: true,
            isAwaited: true
        ),
        Claim(
            state: .held(Sample.holder),
            statement: Sample.statement(10),
            attempt: 1,
            proposer: Sample.byAlice
        ),
        Claim(state: .orphan, statement: Sample.statement(10), attempt: 1),
        Claim(state: .orphan, statement: Sample.statement(10, token: Sample.token), attempt: 1),
    ]

    /// Every event, with the contents that make a difference.
    static let events: [Claim.Event] = [
        .submitted(Sample.statement(10), Sample.byAlice),
        .submitted(Sample.statement(11), Sample.byBob),
        .submitted(Sample.statement(9), Sample.byCarol),
        .stated(Sample.statement(9)),
        .stated(Sample.statement(10, revoked: true)),
        .stated(Sample.statement(12, token: Sample.token)),
        .held(attempt: 1, by: Sample.holder, waiting: []),
        .held(attempt: 2, by: Sample.holder, waiting: [Sample.byCarol]),
        .held(attempt: 2, by: Sample.otherHolder, waiting: [Sample.byAlice]),
        .refused(attempt: 1, reason: .unknownOrder, registered: nil, waiting: nil),
        .refused(attempt: 1, reason: .registered, registered: Sample.bob, waiting: nil),
        .refused(attempt: 2, reason: .alreadyPaid, registered: nil, waiting: Sample.byCarol),
        .retried,
    ]

    @Test(arguments: states, events)
    func `takes an event twice as it takes it once`(from: Claim, event: Claim.Event) throws {
        var claim = from
        guard let first = claim.attemptToApply(event) else { return }
        let once = claim
        let second = try claim.apply(event)
        #expect(claim == once)
        #expect(second.allSatisfy(first.contains), "nothing new is sent")
        #expect(
            !second.contains { if case .propose = $0 { true } else { false } },
            "nothing is proposed twice"
        )
        #expect(!second.contains(.keepFacts))
    }

    @Test(arguments: states, events)
    func `shows no trace of an event that it refuses`(from: Claim, event: Claim.Event) {
        var claim = from
        if claim.attemptToApply(event) == nil { #expect(claim == from) }
    }

    @Test(arguments: states, events)
    func `once held stays with its holder`(from: Claim, event: Claim.Event) {
        guard case .held(let holder) = from.state else { return }
        var claim = from
        _ = claim.attemptToApply(event)
        #expect(claim.state == .held(holder))
    }

    @Test(arguments: states, events)
    func `speaks of conflict only once it is held, and never to the holder`(from: Claim, event: Claim.Event) {
        var claim = from
        for case .tellConflict(let submission) in claim.attemptToApply(event) ?? [] {
            guard case .held(let holder) = claim.state else {
                Issue.record("conflict while \(claim.state)")
                continue
            }
            #expect(submission.submitter != holder.buyer)
        }
    }

    @Test(arguments: states, events)
    func `keeps one proposal out at a time, counted`(from: Claim, event: Claim.Event) {
        var claim = from
        let proposals = (claim.attemptToApply(event) ?? []).filter {
            if case .propose = $0 { true } else { false }
        }
        #expect(proposals.count <= 1)
        #expect(claim.attempt == from.attempt + proposals.count)
        if let proposal = proposals.first,
            case .propose(let attempt, let candidate, let submission) = proposal
        {
            #expect(attempt == claim.attempt)
            #expect(claim.state == .proposed(candidate))
            #expect(claim.proposer == submission)
        }
    }

    @Test func `refuses answers about a transaction that it never proposed`() {
        for event in Self.events.filter(\.isAnswer) {
            var claim = Claim()
            #expect(throws: Claim.Refusal.unknownTransaction) { try claim.apply(event) }
        }
    }

    @Test func `refuses a second holder`() {
        for second in [Sample.otherHolder, Claim.Holder(buyer: Sample.alice, order: Sample.otherOrder)] {
            var claim = Claim(state: .held(Sample.holder), statement: Sample.statement(), attempt: 1)
            #expect(throws: Claim.Refusal.heldByAnother(Sample.holder)) {
                try claim.apply(.held(attempt: 1, by: second, waiting: []))
            }
        }
    }
}

extension Claim {
    /// What follows from the event; nil when it was refused.
    mutating func attemptToApply(_ event: Event) -> [Directive]? {
        do { return try apply(event) } catch { return nil }
    }
}

extension Claim.Event {
    var isAnswer: Bool {
        switch self {
        case .held, .refused: true
        case .submitted, .stated, .retried: false
        }
    }
}
