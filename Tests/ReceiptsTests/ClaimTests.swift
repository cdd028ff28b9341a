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
        Claim(
            state: .sought(in: 0),
            statement: Sample.statement(10),
            attempt: 1,
            proposer: Sample.byAlice
        ),
        Claim(
            state: .sought(in: 1),
            statement: Sample.statement(10, token: Sample.token),
            attempt: 2,
            isUnsaid: true,
            isAwaited: true
        ),
        Claim(
            state: .proposed(.token(Sample.order.rawValue)),
            statement: Sample.statement(10, token: Sample.order.rawValue),
            attempt: 1,
            proposer: Sample.byBob
        ),
    ]

    /// Who may hold what is forgotten here.
    static let forgotten = [ForgottenClaims.none, ForgottenClaims(partitions: 2, firstAttempt: 0)]

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
        .recalled(Sample.statement(9), by: Sample.holder, waiting: []),
        .recalled(Sample.statement(12, revoked: true), by: Sample.holder, waiting: [Sample.byCarol]),
        .recalled(Sample.statement(10), by: Sample.otherHolder, waiting: [Sample.byAlice]),
        .retried,
    ]

    @Test(arguments: states, events)
    func `takes an event twice as it takes it once`(from: Claim, event: Claim.Event) throws {
        for forgotten in Self.forgotten {
            var claim = from
            guard let first = claim.attemptToApply(event, forgotten) else { continue }
            let once = claim
            let second = try claim.apply(event, forgotten)
            #expect(claim == once)
            #expect(second.allSatisfy(first.contains), "nothing new is sent")
            #expect(second.questions.isEmpty, "nothing is asked twice")
            #expect(!second.contains(.keepFacts))
        }
    }

    @Test(arguments: states, events)
    func `shows no trace of an event that it refuses`(from: Claim, event: Claim.Event) {
        for forgotten in Self.forgotten {
            var claim = from
            if claim.attemptToApply(event, forgotten) == nil { #expect(claim == from) }
        }
    }

    @Test(arguments: states, events)
    func `once held stays with its holder`(from: Claim, event: Claim.Event) {
        guard case .held(let holder) = from.state else { return }
        for forgotten in Self.forgotten {
            var claim = from
            _ = claim.attemptToApply(event, forgotten)
            #expect(claim.state == .held(holder))
        }
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
    func `keeps one question out at a time, counted`(from: Claim, event: Claim.Event) {
        for forgotten in Self.forgotten {
            var claim = from
            let questions = (claim.attemptToApply(event, forgotten) ?? []).questions
            #expect(questions.count <= 1)
            #expect(claim.attempt == from.attempt + questions.count)
            switch questions.first {
            case .propose(let attempt, let candidate, let submission):
                #expect(attempt == claim.attempt && submission == claim.proposer)
                #expect(claim.state == .proposed(candidate))
            case .seek(let attempt, let partition, let submission):
                #expect(attempt == claim.attempt && submission == claim.proposer)
                #expect(claim.state == .sought(in: partition))
                #expect(partition < forgotten.partitions)
            case .keepFacts, .wait, .adopt, .dismissWaiters, .restate, .tellConflict, nil: break
            }
        }
    }

    @Test(arguments: states, events)
    func `proposes nobody before every partition was asked whether it holds it`(
        from: Claim,
        event: Claim.Event
    ) {
        var claim = from
        guard let question = (claim.attemptToApply(event, Self.forgotten[1]) ?? []).questions.first,
            case .propose(_, let candidate, _) = question
        else { return }
        switch from.state {
        // Who was proposed was proposed after that question.
        case .sought(in: 1), .proposed: return
        case .unclaimed, .sought, .held, .orphan: Issue.record("\(candidate) after \(from.state)")
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
            let words: [Claim.Event] = [
                .held(attempt: 1, by: second, waiting: []),
                .recalled(Sample.statement(11), by: second, waiting: []),
            ]
            for word in words {
                var claim = Claim(state: .held(Sample.holder), statement: Sample.statement(), attempt: 1)
                #expect(throws: Claim.Refusal.heldByAnother(Sample.holder)) { try claim.apply(word) }
            }
        }
    }
}

extension Claim {
    /// What follows from the event; nil when it was refused.
    mutating func attemptToApply(_ event: Event, _ forgotten: ForgottenClaims = .none) -> [Directive]? {
        do { return try apply(event, forgotten) } catch { return nil }
    }
}

extension [Claim.Directive] {
    /// What Orders is asked.
    var questions: [Claim.Directive] {
        filter { directive in
            switch directive {
            case .propose, .seek: true
            case .keepFacts, .wait, .adopt, .dismissWaiters, .restate, .tellConflict: false
            }
        }
    }
}

extension Claim.Event {
    var isAnswer: Bool {
        switch self {
        case .held, .refused: true
        case .submitted, .stated, .recalled, .retried: false
        }
    }
}
