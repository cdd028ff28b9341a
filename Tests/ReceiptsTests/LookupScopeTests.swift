import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// The claim of a store that was restored, told as stories.
@Suite struct `a claim that may be missing` {
    private let group = ReceiptsGroup()

    static let one = LookupScope(partitions: [0], firstAttempt: 0)
    static let two = LookupScope(partitions: [0, 1], firstAttempt: 0)

    @Test func `is looked up in every partition of Orders at once, before the submission's candidates`()
        throws
    {
        let submission = Sample.byBob.naming(Sample.order)
        let lookups: [Claim.Directive] = [
            .lookUp(attempt: 1, in: 0, submission), .lookUp(attempt: 2, in: 1, submission),
        ]
        var claim = Claim()
        // The second refusal of 2 is a repeated answer, that of 1 a late one.
        try claim.tell(
            (.submitted(Sample.facts(), submission), [.storeFacts] + lookups),
            (.refused(2), []),
            (.refused(2), []),
            in: Self.two
        )
        #expect(claim.state == .lookingUp([PendingLookup(partition: 0, attempt: 1)]))
        try claim.tell(
            (.refused(1), [.propose(attempt: 3, .order(Sample.order), submission)]),
            (.refused(1), []),
            (.refused(3, .otherProduct), [.propose(attempt: 4, .caller(Sample.bob), submission)]),
            in: Self.two
        )
    }

    @Test func `is its holder's again, and the other login has a conflict, though a partition is dead`()
        throws
    {
        for attempt in 1...2 {
            var claim = Claim()
            _ = try claim.apply(.submitted(Sample.facts(), Sample.byBob), Self.two)
            try claim.tell((.held(attempt), [.sendConflict(Sample.byBob)]), in: Self.two)
            #expect(claim.state == .held(Sample.holder))
            #expect(try claim.apply(.refused(3 - attempt), Self.two) == [], "the dead one comes back")
            #expect(claim.state == .held(Sample.holder))
        }
    }

    @Test func `is asked only of those partitions that have not shown that they know of none`() throws {
        var claim = Claim()
        let submitted = Claim.Event.submitted(Sample.facts(), Sample.byBob)
        try claim.tell(
            (submitted, [.storeFacts, .lookUp(attempt: 1, in: 3, Sample.byBob)]),
            (.refused(1), [.propose(attempt: 2, .caller(Sample.bob), Sample.byBob)]),
            in: LookupScope(partitions: [3], firstAttempt: 0)
        )
        var whole = Claim()
        let none = LookupScope(ownedSince: Sample.start, partitions: [])
        let proposal = Claim.Directive.propose(attempt: none.firstAttempt, .caller(Sample.bob), Sample.byBob)
        try whole.tell((submitted, [.storeFacts, proposal]), in: none)
    }

    @Test func `is looked up before the order that its token names is asked`() throws {
        let token = Sample.order.rawValue
        let submitted = Claim.Event.submitted(Sample.facts(token: token), Sample.byBob)
        var claim = Claim()
        try claim.tell(
            (submitted, [.storeFacts, .lookUp(attempt: 1, in: 0, Sample.byBob)]),
            (.refused(1), [.propose(attempt: 2, .token(token), Sample.byBob)]),
            (.refused(2), [.propose(attempt: 3, .caller(Sample.bob), Sample.byBob)]),
            in: Self.one
        )
    }

    @Test func `is looked up before an app's own token is asked, which may be registered anew`() throws {
        var claim = Claim()
        try claim.tell(
            (
                .statedByApple(Sample.facts(token: Sample.token)),
                [.storeFacts, .lookUp(attempt: 1, in: 0, nil)]
            ),
            (.refused(1), [.propose(attempt: 2, .token(Sample.token), nil)]),
            in: Self.one
        )
    }

    @Test func `is looked up once more for a submission that has waited`() throws {
        var claim = Claim()
        _ = try claim.apply(.statedByApple(Sample.facts()), Self.one)
        _ = try claim.apply(.submitted(Sample.facts(), Sample.byBob), Self.one)
        let lookup = Claim.Directive.lookUp(attempt: 2, in: 0, Sample.byBob)
        try claim.tell(
            (.refused(1, waiting: Sample.byBob), [.adopt(Sample.byBob), lookup]),
            (.refused(2), [.propose(attempt: 3, .caller(Sample.bob), Sample.byBob)]),
            in: Self.one
        )
    }

    @Test func `of which Apple speaks is an orphan only when no partition holds it`() throws {
        var claim = Claim()
        _ = try claim.apply(.statedByApple(Sample.facts()), Self.two)
        _ = try claim.apply(.refused(1), Self.two)
        try claim.tell((.refused(2), []), in: Self.two)
        #expect(claim.state == .orphan)
        let lookups: [Claim.Directive] = [
            .lookUp(attempt: 3, in: 0, Sample.byBob), .lookUp(attempt: 4, in: 1, Sample.byBob),
        ]
        try claim.tell((.submitted(Sample.facts(), Sample.byBob), lookups), in: Self.two)
    }

    @Test func `that Orders tells again is held at once, whoever asks for it`() throws {
        var claim = Claim()
        try claim.tell((.redriven(Sample.facts(5), by: Sample.holder, waiting: []), [.storeFacts]))
        #expect(claim.state == .held(Sample.holder))
        claim = Claim()
        _ = try claim.apply(.submitted(Sample.facts(9), Sample.byBob), Self.two)
        let redriven = Claim.Event.redriven(Sample.facts(5), by: Sample.holder, waiting: [Sample.byAlice])
        try claim.tell((redriven, [.restate(Sample.holder, Sample.byAlice), .sendConflict(Sample.byBob)]))
    }

    @Test func `does not take the answer to a query of an owner whose work is lost`() throws {
        let before = LookupScope(ownedSince: Sample.start, partitions: [0, 1])
        let now = LookupScope(ownedSince: Sample.start.advanced(by: 1_000), partitions: [0, 1])
        var lost = Claim()
        _ = try lost.apply(.submitted(Sample.facts(), Sample.byAlice), before)
        for attempt in before.firstAttempt...lost.attempt { _ = try lost.apply(.refused(attempt), before) }
        var claim = Claim()
        _ = try claim.apply(.submitted(Sample.facts(), Sample.byBob), now)
        #expect(claim.attempt > lost.attempt)
        for attempt in before.firstAttempt...lost.attempt {
            #expect(try claim.apply(.refused(attempt), now) == [])
        }
        #expect(claim.openPartitions == [0, 1])
        var older = Claim(
            state: .proposed(.token(Sample.order.rawValue)),
            facts: Sample.facts(token: Sample.order.rawValue),
            attempt: 1,
            proposer: Sample.byBob
        )
        var trusted = older
        #expect(
            try older.apply(.refused(1), now) == [
                .lookUp(attempt: now.firstAttempt, in: 0, Sample.byBob),
                .lookUp(attempt: now.firstAttempt + 1, in: 1, Sample.byBob),
            ]
        )
        let whole = LookupScope(ownedSince: Sample.start.advanced(by: 1_000), partitions: [])
        let next = Claim.Directive.propose(attempt: whole.firstAttempt, .caller(Sample.bob), Sample.byBob)
        #expect(try trusted.apply(.refused(1), whole) == [next], "a store that has lost nothing")
    }

    @Test func `is asked again once when an earlier owner asked, whose answer may be lost`() throws {
        let all = LookupScope(ownedSince: Sample.start, partitions: [0, 1])
        let none = LookupScope(ownedSince: Sample.start, partitions: [])
        let pendingLookup = Claim.State.lookingUp([PendingLookup(partition: 1, attempt: 3)])
        let proposed = Claim.State.proposed(.caller(Sample.alice))
        for (state, now, queries) in [
            (pendingLookup, all, 2), (pendingLookup, none, 1), (proposed, all, 1), (proposed, none, 1),
        ] {
            var claim = Claim(state: state, facts: Sample.facts(), attempt: 3, proposer: Sample.byAlice)
            let again = try claim.apply(.submitted(Sample.facts(), Sample.byAlice), now)
            #expect(again.requests.count == queries && claim.state.name == state.name)
            #expect(claim.attempt == now.firstAttempt + queries - 1)
            #expect(try claim.apply(.submitted(Sample.facts(), Sample.byAlice), now) == [])
            #expect(try claim.apply(.submitted(Sample.facts(), Sample.byBob), now) == [.wait(Sample.byBob)])
            #expect(try claim.apply(.refused(3), now) == [], "the number is another one now")
        }
    }

    // MARK: In the store

    @Test(arguments: [
        (-1 as Int64, nil as String?, true), (59, nil, true), (60, nil, false), (3_600, nil, false),
        (59, Sample.token, true), (-1, Sample.order.rawValue, true), (1, Sample.order.rawValue, true),
        (2, Sample.order.rawValue, false),
    ])
    func `is one that was bought before the owner took the store, by a clock that may be slow`(
        seconds: Int64,
        token: String?,
        mayBeForgotten: Bool
    ) throws {
        group.ownedSince = Sample.start
        let bought = Sample.transaction("1", purchased: seconds, token: token)
        let sent = try group.verify(bought, Sample.byBob).sent
        #expect(Set(sent.map(\.type)) == [mayBeForgotten ? ClaimLookupV1.type : ClaimProposedV1.type])
        #expect(sent.count == (mayBeForgotten ? ReceiptsGroup.partitions : 1))
    }

    @Test func `is asked of all partitions at once, and the queries survive their owner`() throws {
        group.ownedSince = Sample.start
        let bought = Sample.transaction("1", purchased: -3_600)
        let sent = try group.verify(bought, Sample.byBob).sent
        #expect(sent.map(\.to) == (0..<ReceiptsGroup.partitions).map { PartitionAddress(.orders, $0) })
        let asked = try sent.bodies(ClaimLookupV1.self)
        #expect(asked.allSatisfy { $0.submission == Sample.byBob })
        #expect(Set(asked.map(\.attempt)).count == ReceiptsGroup.partitions)
        for (number, query) in asked.reversed().enumerated() {
            #expect(try group.record(bought).claim.openPartitions.count == ReceiptsGroup.partitions - number)
            let next = try group.refuse(bought, attempt: query.attempt).sent
            let isLast = number == ReceiptsGroup.partitions - 1
            let proposals = try next.candidates
            #expect(proposals == (isLast ? [.caller(Sample.bob)] : []))
        }
    }

    @Test
    func `is asked of nobody once all links to Orders have been compared, as after an ordinary restart`()
        throws
    {
        group.ownedSince = Sample.start
        let links = (0..<ReceiptsGroup.partitions).map { PartitionAddress(.orders, $0) }
        group.confirmed = Set(links.dropLast())
        let first = try group.verify(Sample.transaction("1", purchased: -3_600), Sample.byBob).sent
        #expect(first.map(\.type) == [ClaimLookupV1.type])
        #expect(first.map(\.to) == [links.last], "its link has not been attached yet")
        group.confirmed = Set(links)
        let second = try group.verify(Sample.transaction("2", purchased: -3_600), Sample.byBob).sent
        #expect(second.map(\.type) == [ClaimProposedV1.type])
    }

    @Test func `comes back from Orders with its facts, as if it had never been gone`() throws {
        let refund = Sample.transaction("1", signed: 20, token: Sample.token, refunded: true)
        #expect(try group.recall(refund, evidence: .token).outcome == .applied)
        let record = try group.record(refund)
        #expect(record.claim.state == .held(Sample.holder))
        #expect(record.claim.facts == Sample.facts(20, revoked: true, token: Sample.token))
        #expect(try group.recall(refund, evidence: .token).sent.isEmpty)
        #expect(try group.verify(Sample.transaction("1", signed: 10)).sent.isEmpty, "an older signature")
        let other = try group.verify(refund, Sample.byBob).sent
        #expect(other.map(\.type) == [ClaimConflictedV1.type])
        let own = try group.verify(refund, Sample.byAlice).sent.bodies(TransactionUpdatedV1.self)
        #expect(own.map(\.transaction) == [try #require(TransactionFacts(refund))])
        let trace = try group.trace(refund.transactionId, partition: ReceiptsGroup.partition(of: refund))
        #expect(trace.entries.map(\.type) == [ClaimRedrivenV1.type.rawValue])
        #expect(trace.entries.map(\.evidence) == [.token])
    }

    @Test func `that two orders hold is a contradiction for the operator, and stays with the first`() throws {
        let bought = Sample.transaction("1")
        _ = try group.recall(bought)
        let second = try group.recall(bought, by: Sample.otherHolder)
        #expect(second.outcome == .deadLettered("heldByAnother"))
        #expect(second.sent.isEmpty)
        #expect(try group.record(bought).claim.state == .held(Sample.holder))
    }
}

extension Claim {
    /// Tells the claim one event after the other; exactly these directives follow from each.
    mutating func tell(
        _ steps: (event: Event, directives: [Directive])...,
        in scope: LookupScope = .none,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        for step in steps {
            let directives = try apply(step.event, scope)
            #expect(directives == step.directives, "after \(step.event)", sourceLocation: location)
        }
    }
}
