import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Token, named order and chain decide whose it is, and never who hands it in.
@Suite struct `a purchase that another login hands in` {
    private static let byOther = Sample.byAlice.forAnother
    private static let bobs = Claim.Holder(buyer: Sample.bob, order: Sample.order)

    @Test(arguments: `a claim`.states, `a claim`.events)
    func `is never proposed to that login`(from: Claim, event: Claim.Event) {
        // An operator may give it to anybody, and the chain to its holder.
        if case .reassigned = event { return }
        for scope in `a claim`.scopes {
            var claim = from
            for directive in claim.attemptToApply(event, scope) ?? [] {
                // What was proposed before the phone said so may be held already, and is asked again.
                guard case .propose(_, .caller(let buyer), let submission) = directive,
                    from.state != .proposed(.caller(buyer))
                else { continue }
                #expect(submission?.isForAnother != true, "\(buyer) after \(event)")
            }
        }
    }

    @Test func `is nobody's until its buyer hands it in, and then both are judged`() throws {
        var claim = Claim()
        try claim.tell((.submitted(Sample.facts(), Self.byOther), [.storeFacts]), (.retried, []))
        #expect(claim.state == .orphan && claim.proposer == Self.byOther)
        let proposal = Claim.Directive.propose(attempt: 1, .caller(Sample.bob), Sample.byBob)
        try claim.tell((.submitted(Sample.facts(), Sample.byBob), [.wait(Self.byOther), proposal]))
        let held = Claim.Event.held(attempt: 1, by: Self.bobs, waiting: [Self.byOther])
        #expect(try claim.apply(held) == [.dismissWaiters, .sendConflict(Self.byOther)])
    }

    @Test func `goes to whom Apple's word names, even to that login`() throws {
        var claim = Claim()
        let facts = Sample.facts(token: Sample.token)
        let proposal = Claim.Directive.propose(attempt: 1, .token(Sample.token), Self.byOther)
        try claim.tell((.submitted(facts, Self.byOther), [.storeFacts, proposal]))
        var foreign = claim
        #expect(try claim.apply(.held(1)) == [], "Orders has passed the submission on")
        #expect(claim.state == .held(Sample.holder))
        try foreign.tell((.refused(1), []))
        #expect(foreign.state == .orphan)
    }

    @Test func `goes to a registered buyer of its token`() throws {
        var claim = Claim()
        _ = try claim.apply(.submitted(Sample.facts(token: Sample.token), Self.byOther))
        let next = Claim.Directive.propose(attempt: 2, .registered(Sample.bob), Self.byOther)
        try claim.tell((.refused(1, .registered, registered: Sample.bob), [next]))
    }

    @Test func `goes to the order that is named, and to nobody if that cannot be paid`() throws {
        var claim = Claim()
        let naming = Self.byOther.naming(Sample.order)
        let proposal = Claim.Directive.propose(attempt: 1, .order(Sample.order), naming)
        try claim.tell((.submitted(Sample.facts(), naming), [.storeFacts, proposal]), (.refused(1), []))
        #expect(claim.state == .orphan)
    }

    @Test func `goes to who has its subscription`() throws {
        var claim = Claim()
        claim.reading.chain = ChainHolder(Sample.bob, .afterOrder)
        let proposal = Claim.Directive.propose(attempt: 1, .caller(Sample.bob), Self.byOther)
        let directives = try claim.apply(.submitted(Sample.facts(), Self.byOther))
        #expect(directives == [.storeFacts, proposal])
    }

    @Test func `goes on with a submission that waits, once the last candidate has refused`() throws {
        var claim = Claim()
        _ = try claim.apply(.submitted(Sample.facts(token: Sample.token), Self.byOther))
        try claim.tell((.submitted(Sample.facts(token: Sample.token), Sample.byBob), [.wait(Sample.byBob)]))
        let proposal = Claim.Directive.propose(attempt: 2, .caller(Sample.bob), Sample.byBob)
        let refused = Claim.Event.refused(1, waiting: Sample.byBob)
        try claim.tell((refused, [.wait(Self.byOther), .adopt(Sample.byBob), proposal]))
    }

    @Test func `does not keep a buyer's own submission waiting once Apple has spoken`() throws {
        for isLater in [false, true] {
            var claim = Claim()
            claim.reading.inquiry = .asked
            _ = try claim.apply(.submitted(Sample.facts(), isLater ? Self.byOther : Sample.byBob))
            _ = try claim.apply(.submitted(Sample.facts(), isLater ? Sample.byBob : Self.byOther))
            #expect(claim.state == .waiting && claim.proposer == Sample.byBob)
            let directives = try claim.apply(.evidenceCompleted(waiting: [Self.byOther]))
            #expect(directives == [.propose(attempt: 1, .caller(Sample.bob), Sample.byBob)])
        }
    }

    @Test func `is that login's own as soon as it says so, and not any more when it takes that back`() throws
    {
        var claim = Claim()
        _ = try claim.apply(.submitted(Sample.facts(), Self.byOther))
        let proposal = Claim.Directive.propose(attempt: 1, .caller(Sample.alice), Sample.byAlice)
        try claim.tell((.submitted(Sample.facts(), Sample.byAlice), [proposal]))
        claim = Claim()
        _ = try claim.apply(.submitted(Sample.facts(token: Sample.token), Sample.byAlice))
        try claim.tell((.submitted(Sample.facts(token: Sample.token), Self.byOther), []), (.refused(1), []))
        #expect(claim.state == .orphan)
    }

    @Test func `is not restored to that login`() throws {
        var signed = Sample.transaction(type: ProductType.nonConsumable)
        signed.inAppOwnershipType = "PURCHASED"
        let facts = try #require(TransactionFacts(signed))
        for submission in [Sample.byAlice, Self.byOther] {
            guard case .submitted(_, let told) = Claim.Event.verified(facts, submission.restoring) else {
                throw HarnessFault("no submission")
            }
            #expect(told.intent == (submission == Self.byOther ? nil : .restore))
        }
    }

    @Test func `is handed in as what it is, is pending, is found by an operator, and twice is once`() throws {
        let group = ReceiptsGroup()
        let signed = Sample.transaction()
        let home = ReceiptsGroup.partition(of: Sample.alice)
        group.proofs.contents["p"] = .success([signed])
        for _ in 0..<2 {
            let sent = try group.submit("p", intent: .restore, purchasedBy: Sample.bob).sent
            let told = try #require(try sent.bodies(TransactionVerifiedV1.self).first?.submission)
            #expect(told.isForAnother == true && told.intent == nil && told.submitter == Sample.alice)
            let verdict = try #require(try sent.bodies(ReceiptAcceptedV1.self).first?.transactions.first)
            #expect((verdict.verdict, verdict.reason) == (.pending, "waitsForBuyer"))
            #expect(try group.deliver(sent).isEmpty, "nobody is proposed")
        }
        #expect(try group.rows("SELECT purchased_by FROM submission", partition: home) == [["bob"]])
        #expect(try group.record(signed).claim.state == .orphan)
        #expect(try group.record(signed).claim.proposer?.isForAnother == true)
        let found = try group.retry(partition: ReceiptsGroup.partition(of: signed))
        #expect(found.items.map(\.after.state) == ["orphan"])
        #expect(found.sent.isEmpty)
    }

    @Test func `waits as a row behind its buyer's submission`() throws {
        let group = ReceiptsGroup()
        let signed = Sample.transaction()
        #expect(try group.verify(signed, Self.byOther).sent.isEmpty)
        let proposed = try group.verify(signed, Sample.byBob).sent
        #expect(try proposed.bodies(ClaimProposedV1.self).map(\.candidate) == [.caller(Sample.bob)])
        let record = try group.record(signed)
        let waiting = try group.run(ReceiptsGroup.partition(of: signed)) {
            try ClaimStore(connection: $0.connection).waiters(record)
        }
        #expect(waiting.outcome == [Self.byOther])
        let sent = try group.hold(signed, by: Self.bobs).sent
        let conflict = try #require(try sent.bodies(ClaimConflictedV1.self).first)
        #expect(conflict.submission.submitter == Sample.alice && conflict.transaction.verdict == .conflict)
    }

    @Test func `is the submitter's own where both are one`() throws {
        let group = ReceiptsGroup()
        group.proofs.contents["p"] = .success([Sample.transaction()])
        let sent = try group.submit("p", purchasedBy: Sample.alice).sent
        let told = try #require(try sent.bodies(TransactionVerifiedV1.self).first?.submission)
        #expect(told.isForAnother == nil)
    }

    @Test func `stays another's in a receipt that Apple is asked about`() async throws {
        let (group, apple) = try ReceiptsGroup.asking()
        apple.knows(Sample.transaction())
        group.proofs.contents["p"] = .success([Sample.transaction()])
        let sent = try group.submit("p", kind: .appReceipt, purchasedBy: Sample.bob).sent
        let told = try #require(try sent.bodies(TransactionVerifiedV1.self).first?.submission)
        #expect(told.isForAnother == true)
    }
}
