import Contracts
import Testing

@testable import Receipts

@Suite struct `a claim` {
    /// Every state, with the fields that make a difference.
    static let states: [Claim] = [
        Claim(),
        claim(.proposed(.token(Sample.token))),
        claim(.proposed(.caller(Sample.alice)), attempt: 2, proposer: Sample.byAlice),
        claim(.proposed(.order(Sample.order)), attempt: 2, proposer: Sample.byBob, isAwaited: true),
        claim(.held(Sample.holder), proposer: Sample.byAlice),
        claim(.held(Sample.holder), transfer: Transfer(requester: Sample.bob, movedAt: nil)),
        claim(.held(movedHolder), transfer: Transfer(requester: nil, movedAt: Sample.start)),
        claim(.orphan),
        claim(.orphan, token: Sample.token),
        claim(.lookingUp([first, second]), attempt: 2, proposer: Sample.byAlice),
        claim(.lookingUp([second]), attempt: 2, token: Sample.token, isAwaited: true),
        claim(.proposed(.token(Sample.order.rawValue)), proposer: Sample.byBob, token: Sample.order.rawValue),
        claim(.orphan, transfer: takenBack),
        claim(
            .proposed(.caller(Sample.alice)),
            attempt: 2,
            proposer: Sample.byAlice,
            isAwaited: true,
            transfer: takenBack
        ),
        claim(.waiting, proposer: Sample.byAlice, evidence: .awaited(until: zero)),
        claim(.waiting, proposer: naming, isAwaited: true, evidence: .overdue(askingAt: zero)),
        claim(.waiting, proposer: naming, evidence: .pressed(until: zero)),
        claim(.waiting, evidence: .overdue(askingAt: nil)),
        claim(.held(Sample.holder), token: Sample.token),
        claim(
            .held(Sample.holder),
            attempt: 2,
            token: Sample.token,
            challenge: .asking(.token(Sample.token), attempt: 2)
        ),
        claim(.held(Sample.holder), isAwaited: true, challenge: .taking(newcomer, from: [Sample.alice])),
        claim(.held(Sample.holder), challenge: .moving(newcomer, transfer: 1)),
        claim(
            .proposed(.order(Sample.order)),
            proposer: naming,
            isAwaited: true,
            evidence: .overdue(askingAt: nil)
        ),
        claim(.orphan, proposer: forAnother), claim(.orphan, proposer: forAnother, isAwaited: true),
        claim(.proposed(.token(Sample.token)), proposer: forAnother, token: Sample.token, isAwaited: true),
        claim(.waiting, proposer: forAnother, isAwaited: true, evidence: .overdue(askingAt: nil)),
        claim(.lookingUp([first]), proposer: forAnother, isAwaited: true),
    ]

    /// Alice's submission of what another login has bought.
    private static let forAnother = Sample.byAlice.forAnother

    private static let zero = Timestamp(milliseconds: 0)
    private static let takenBack = Transfer(takenBackFor: Sample.bob, transfer: 1)
    private static let newcomer = Challenge.Newcomer(buyer: Sample.bob, evidence: .token)
    private static let newHolder = Sample.moved(to: Sample.bob, Sample.otherOrder, of: Sample.bob)

    /// Alice's submission that names an order.
    private static let naming = Sample.byAlice.naming(Sample.order)

    private static let first = PendingLookup(partition: 0, attempt: 1)
    private static let second = PendingLookup(partition: 1, attempt: 2)

    /// A claim; one that is awaited has newer facts, too.
    private static func claim(
        _ state: Claim.State,
        attempt: Int = 1,
        proposer: Submission? = nil,
        token: String? = nil,
        isAwaited: Bool = false,
        transfer: Transfer = Transfer(requester: nil, movedAt: nil),
        evidence: AppleEvidence = .notAsked,
        challenge: Challenge? = nil
    ) -> Claim {
        Claim(
            state: state,
            facts: Sample.facts(10, token: token),
            attempt: attempt,
            proposer: proposer,
            hasUnsentFacts: isAwaited,
            hasWaiters: isAwaited,
            transfer: transfer,
            evidence: evidence,
            challenge: challenge
        )
    }

    /// Who may hold what may be missing here.
    static let scopes = [
        LookupScope.none, LookupScope(partitions: [0, 1], firstAttempt: 0),
        LookupScope(partitions: [1], firstAttempt: 100),
        LookupScope(partitions: [], firstAttempt: 100),
    ]

    /// Every event, with the contents that make a difference.
    static let events: [Claim.Event] = [
        .submitted(Sample.facts(10), Sample.byAlice),
        .submitted(Sample.facts(11), Sample.byBob),
        .submitted(Sample.facts(9), Sample.byCarol),
        .statedByApple(Sample.facts(9)),
        .statedByApple(Sample.facts(10, revoked: true)),
        .statedByApple(Sample.facts(12, token: Sample.token)),
        .held(1),
        .held(2, waiting: [Sample.byCarol]),
        .held(attempt: 2, by: Sample.otherHolder, waiting: [Sample.byAlice]),
        .refused(1),
        .refused(1, .registered, registered: Sample.bob),
        .refused(2, .alreadyPaid, waiting: Sample.byCarol),
        .redriven(Sample.facts(9), by: Sample.holder, waiting: []),
        .redriven(Sample.facts(12, revoked: true), by: Sample.holder, waiting: [Sample.byCarol]),
        .redriven(Sample.facts(10), by: Sample.otherHolder, waiting: [Sample.byAlice]),
        .retried,
        .submitted(Sample.facts(10), restore),
        .transferred(Sample.facts(10), answer(isTaken: true), waiting: [restore]),
        .transferred(Sample.facts(10), answer(isTaken: false), waiting: [restore]),
        .redriven(Sample.facts(9), by: movedHolder, waiting: []),
        .submitted(Sample.facts(11), naming),
        .evidenceDue(waiting: [], isUnanswered: true),
        .evidenceDue(waiting: [naming], isUnanswered: true),
        .evidenceDue(waiting: [naming], isUnanswered: false),
        .evidenceMissing(waiting: []), .evidenceMissing(waiting: [naming]),
        .evidenceCompleted(waiting: []), .evidenceCompleted(waiting: [Sample.byBob, restore]),
        .answered(attempt: 2, buyer: Sample.bob, order: Sample.otherOrder, waiting: [Sample.byBob]),
        .answered(attempt: 2, buyer: Sample.alice, order: nil, waiting: [Sample.byBob]),
        .answered(attempt: 2, buyer: nil, order: nil, waiting: [Sample.byCarol]),
        .transferred(Sample.facts(10), answer(isTaken: true, .evidence), waiting: []),
        .transferred(Sample.facts(10), answer(isTaken: false, .evidence), waiting: [Sample.byBob]),
        .submitted(Sample.facts(11), Sample.byAlice.forAnother),
        .submitted(Sample.facts(11), Sample.byBob.forAnother),
        .refused(1, waiting: Sample.byBob.forAnother),
        .held(attempt: 0, by: newHolder, waiting: [Sample.byBob]),
        .reassigned(to: Sample.bob, waiting: [Sample.byBob]), .reassigned(to: Sample.alice, waiting: []),
    ]

    private static let restore = Sample.byBob.restoring
    private static func answer(isTaken: Bool, _ cause: TransferCause = .restore) -> Claim.TransferAnswer {
        Claim.TransferAnswer(
            from: Sample.alice,
            buyer: Sample.bob,
            transfer: 1,
            isTaken: isTaken,
            cause: cause
        )
    }
    private static let movedHolder = Sample.moved(to: Sample.bob)

    @Test(arguments: states, events)
    func `takes an event twice as it takes it once`(from: Claim, event: Claim.Event) throws {
        for scope in Self.scopes {
            var claim = from
            guard let first = claim.attemptToApply(event, scope) else { continue }
            let once = claim
            let second = try claim.apply(event, scope)
            #expect(claim == once)
            #expect(second.allSatisfy(first.contains), "nothing new is sent")
            #expect(second.requests.isEmpty, "nothing is asked twice")
            #expect(!second.contains(.storeFacts))
        }
    }

    @Test(arguments: states, events)
    func `shows no trace of an event that it refuses`(from: Claim, event: Claim.Event) {
        for scope in Self.scopes {
            var claim = from
            if claim.attemptToApply(event, scope) == nil { #expect(claim == from) }
        }
    }

    @Test(arguments: states, events)
    func `once held stays with its holder, but for a transfer`(from: Claim, event: Claim.Event) {
        guard case .held(let holder) = from.state else { return }
        for scope in Self.scopes {
            var claim = from
            _ = claim.attemptToApply(event, scope)
            guard let now = claim.state.holder, now != holder else { continue }
            #expect(now.transfers > holder.transfers)
            #expect(now.payer == holder.payer ? now.order == holder.order : now == Self.newHolder)
        }
    }

    @Test(arguments: states)
    func `moves as soon as it is held, if the ledger has taken it back before`(from: Claim) throws {
        if case .held = from.state { return }
        var claim = from
        let answered = Claim.Event.transferred(Sample.facts(10), Self.answer(isTaken: true), waiting: [])
        _ = try claim.apply(answered)
        #expect(claim.state.holder == nil && claim.transfer.takenBack?.buyer == Sample.bob)
        let word = Claim.Event.redriven(Sample.facts(10), by: Sample.holder, waiting: [Self.restore])
        let directives = try claim.apply(word)
        #expect(claim.state.holder == Self.movedHolder && claim.transfer.takenBack == nil)
        #expect(directives.contains(.restate(Self.movedHolder, Self.restore)))
    }

    @Test(arguments: states)
    func `without holder hears of no transfer that was refused`(from: Claim) {
        if case .held = from.state { return }
        var claim = from
        let kept = Claim.Event.transferred(Sample.facts(10), Self.answer(isTaken: false), waiting: [])
        #expect(claim.attemptToApply(kept) == (from.state == .unclaimed ? nil : []))
        #expect(claim == from)
    }

    @Test(arguments: states, events)
    func `speaks of conflict only once it is held, and never to the holder`(from: Claim, event: Claim.Event) {
        var claim = from
        for case .sendConflict(let submission) in claim.attemptToApply(event) ?? [] {
            guard case .held(let holder) = claim.state else {
                Issue.record("conflict while \(claim.state)")
                continue
            }
            #expect(submission.submitter != holder.buyer)
        }
    }

    @Test(arguments: states, events)
    func `keeps one round of queries out at a time, each with a number of its own`(
        from: Claim,
        event: Claim.Event
    ) {
        for scope in Self.scopes {
            var claim = from
            let queries = (claim.attemptToApply(event, scope) ?? []).requests
            let isChallenge = queries.contains { if case .challenge = $0 { true } else { false } }
            let first = isChallenge ? from.attempt + 1 : max(from.attempt + 1, scope.firstAttempt)
            #expect(claim.attempt == (queries.isEmpty ? from.attempt : first + queries.count - 1))
            var open: [PendingLookup] = []
            for request in queries {
                switch request {
                case .propose(let attempt, let candidate, let submission):
                    #expect(queries.count == 1 && attempt == first && submission == claim.proposer)
                    #expect(claim.state == .proposed(candidate))
                case .lookUp(let attempt, let partition, let submission):
                    #expect(attempt == first + open.count && submission == claim.proposer)
                    open.append(PendingLookup(partition: partition, attempt: attempt))
                case .challenge(let attempt, let candidate):
                    #expect(queries.count == 1 && attempt == from.attempt + 1)
                    #expect(claim.challenge == .asking(candidate, attempt: attempt))
                case .storeFacts, .askApple, .wait, .adopt, .dismissWaiters, .restate, .sendConflict,
                    .sendParked, .requestTransfer, .noteTransfer, .release, .moveClaim:
                    break
                }
            }
            if !open.isEmpty { #expect(claim.state == .lookingUp(open)) }
        }
    }

    @Test(arguments: states, events)
    func `asks all partitions that may hold it at once, or none`(from: Claim, event: Claim.Event) {
        for scope in Self.scopes {
            var claim = from
            let asked = (claim.attemptToApply(event, scope) ?? []).requests.compactMap(\.lookUpPartition)
            guard !asked.isEmpty else { continue }
            // What an earlier owner has asked is asked again of those who have not answered.
            #expect(asked == (scope.partitions.isEmpty ? from.openPartitions : scope.partitions))
        }
    }

    @Test(arguments: states, events)
    func `goes on only after the last refusal of a round, and takes each once`(
        from: Claim,
        event: Claim.Event
    ) {
        guard case .lookingUp(let open) = from.state, case .refused(let attempt, _, _, _) = event else {
            return
        }
        var claim = from
        let directives = claim.attemptToApply(event, Self.scopes[1]) ?? []
        let rest = open.filter { $0.attempt != attempt }
        if rest.count == open.count {
            #expect(claim == from && directives.isEmpty, "no request of this round")
        }
        if !rest.isEmpty { #expect(claim.state == .lookingUp(rest) && directives.isEmpty) }
        if rest.isEmpty { #expect(claim.openPartitions != from.openPartitions || !directives.isEmpty) }
    }

    @Test(arguments: states, events)
    func `proposes nobody before every partition was asked whether it holds it`(
        from: Claim,
        event: Claim.Event
    ) {
        var claim = from
        guard let request = (claim.attemptToApply(event, Self.scopes[1]) ?? []).requests.first,
            case .propose(_, let candidate, _) = request
        else { return }
        switch from.state {
        // Who was proposed was proposed after that request.
        case .proposed: return
        case .lookingUp(let open) where event.refusedAttempt.map { [$0] } == open.map(\.attempt): return
        case .unclaimed, .waiting, .lookingUp, .held, .orphan:
            Issue.record("\(candidate) after \(from.state)")
        }
    }

    @Test func `refuses answers about a transaction that it never proposed`() {
        for event in Self.events.filter(\.isAnswer) {
            var claim = Claim()
            #expect(throws: Claim.Refusal.unknownTransaction) { try claim.apply(event) }
        }
    }

    @Test func `refuses a second holder`() {
        for second in [Sample.otherHolder, Claim.Holder(buyer: Sample.bob, order: Sample.order)] {
            let words: [Claim.Event] = [
                .held(attempt: 1, by: second, waiting: []),
                .redriven(Sample.facts(11), by: second, waiting: []),
            ]
            for word in words {
                var claim = Claim(state: .held(Sample.holder), facts: Sample.facts(), attempt: 1)
                #expect(throws: Claim.Refusal.heldByAnother) { try claim.apply(word) }
                #expect(claim.state == .held(Sample.holder))
            }
        }
    }

    @Test func `follows its holder to another order, which restored Orders have made for the payment`() throws
    {
        let other = Claim.Holder(buyer: Sample.alice, order: Sample.otherOrder)
        var claim = Claim(state: .held(Sample.holder), facts: Sample.facts(), attempt: 1)
        #expect(try claim.apply(.held(attempt: 1, by: other, waiting: [])).isEmpty)
        #expect(claim.state == .held(other))
        let moved = try #require(other.moved(to: Sample.bob, by: 1))
        claim = Claim(state: .held(moved), facts: Sample.facts(), attempt: 1)
        #expect(try claim.apply(.held(attempt: 1, by: Sample.holder, waiting: [])).isEmpty)
        #expect(claim.state == .held(moved.paying(Sample.order)), "who holds it stays")
    }
}

extension Claim {
    /// What follows from the event; nil when it was refused.
    mutating func attemptToApply(_ event: Event, _ scope: LookupScope = .none) -> [Directive]? {
        do { return try apply(event, scope) } catch { return nil }
    }
}

extension [Claim.Directive] {
    /// The requests to Orders.
    var requests: [Claim.Directive] {
        filter { directive in
            switch directive {
            case .propose, .lookUp, .challenge: true
            case .storeFacts, .askApple, .wait, .adopt, .dismissWaiters, .restate, .sendConflict,
                .sendParked, .requestTransfer, .noteTransfer, .release, .moveClaim:
                false
            }
        }
    }
}

extension Claim.Directive {
    /// The partition that is asked whether it holds the transaction.
    var lookUpPartition: Int? { if case .lookUp(_, let partition, _) = self { partition } else { nil } }
}

extension Claim {
    /// The partitions that have not answered yet.
    var openPartitions: [Int] { if case .lookingUp(let open) = state { open.map(\.partition) } else { [] } }
}

extension Claim.Event {
    var refusedAttempt: Int? { if case .refused(let attempt, _, _, _) = self { attempt } else { nil } }

    var isAnswer: Bool {
        switch self {
        case .held, .refused, .answered: true
        case .submitted, .statedByApple, .redriven, .retried, .transferred, .evidenceDue, .evidenceMissing,
            .evidenceCompleted,
            .reassigned:
            false
        }
    }
}
