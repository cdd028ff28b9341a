import Contracts
import Testing

@testable import Receipts

/// The table of `Claim`, told as stories.
@Suite struct `a claim's story` {
    @Test func `token, registered buyer, named order and submitter are asked in turn`() throws {
        let submission = Submission(
            receiptId: Sample.receipt(1),
            submitter: Sample.alice,
            orderId: Sample.order.rawValue.uppercased()
        )
        var claim = Claim()
        #expect(
            try claim.apply(.submitted(Sample.facts(token: Sample.token), submission))
                == [.storeFacts, .propose(attempt: 1, .token(Sample.token), submission)]
        )
        #expect(
            try claim.apply(.refused(1, .registered, registered: Sample.bob))
                == [.propose(attempt: 2, .registered(Sample.bob), submission)]
        )
        #expect(try claim.apply(.refused(2)) == [.propose(attempt: 3, .order(Sample.order), submission)])
        #expect(
            try claim.apply(.refused(3, .otherProduct))
                == [.propose(attempt: 4, .caller(Sample.alice), submission)]
        )
    }

    @Test(arguments: [nil, "ORDER-4711", "", Sample.token])
    func `a named order that is none of ours is passed over`(hint: String?) throws {
        var claim = Claim()
        let submission = Submission(receiptId: Sample.receipt(1), submitter: Sample.alice, orderId: hint)
        let directives = try claim.apply(.submitted(Sample.facts(), submission))
        #expect(directives == [.storeFacts, .propose(attempt: 1, .caller(Sample.alice), submission)])
    }

    @Test func `the submitter who holds it hears of it from the ledger alone`() throws {
        var claim = try Self.proposed(Sample.byAlice)
        #expect(try claim.apply(.held(1)) == [])
        #expect(claim.state == .held(Sample.holder))
    }

    @Test func `a submitter who does not hold it is told so`() throws {
        var claim = try Self.proposed(Sample.byBob)
        #expect(try claim.apply(.held(1)) == [.sendConflict(Sample.byBob)])
    }

    @Test func `those who come meanwhile wait and are judged by the holder`() throws {
        var claim = try Self.proposed(Sample.byBob)
        #expect(try claim.apply(.submitted(Sample.facts(), Sample.byCarol)) == [.wait(Sample.byCarol)])
        #expect(try claim.apply(.submitted(Sample.facts(), Sample.byAlice)) == [.wait(Sample.byAlice)])
        #expect(
            try claim.apply(.held(1, waiting: [Sample.byCarol, Sample.byAlice]))
                == [
                    .restate(Sample.holder, Sample.byAlice), .sendConflict(Sample.byBob),
                    .sendConflict(Sample.byCarol), .dismissWaiters,
                ]
        )
        #expect(!claim.hasWaiters)
    }

    @Test func `a refund that came while it was proposed is told after it is held`() throws {
        var claim = try Self.proposed(Sample.byAlice)
        #expect(try claim.apply(.reported(Sample.facts(5, revoked: true))) == [.storeFacts])
        #expect(try claim.apply(.held(1)) == [.restate(Sample.holder, nil)])
    }

    @Test func `a refund goes with the next proposal, and is not told again`() throws {
        var claim = try Self.proposed(Sample.byAlice, token: Sample.token)
        _ = try claim.apply(.reported(Sample.facts(5, revoked: true)))
        _ = try claim.apply(.refused(1))
        #expect(try claim.apply(.held(2)) == [])
    }

    @Test func `a refund of a held transaction goes onward, an older signature does not`() throws {
        var claim = Claim(state: .held(Sample.holder), facts: Sample.facts(10), attempt: 1)
        #expect(
            try claim.apply(.reported(Sample.facts(20, revoked: true)))
                == [.storeFacts, .restate(Sample.holder, nil)]
        )
        #expect(try claim.apply(.reported(Sample.facts(15))) == [])
        #expect(claim.facts == Sample.facts(20, revoked: true))
    }

    @Test func `news in another's submission go onward without it`() throws {
        var claim = Claim(state: .held(Sample.holder), facts: Sample.facts(10), attempt: 1)
        #expect(
            try claim.apply(.submitted(Sample.facts(20), Sample.byBob))
                == [.storeFacts, .restate(Sample.holder, nil), .sendConflict(Sample.byBob)]
        )
        #expect(try claim.apply(.submitted(Sample.facts(20), Sample.byBob)) == [.sendConflict(Sample.byBob)])
    }

    @Test func `without token and submission it is an orphan, which a phone ends`() throws {
        var claim = Claim()
        #expect(try claim.apply(.reported(Sample.facts())) == [.storeFacts])
        #expect(claim.state == .orphan)
        #expect(try claim.apply(.retried) == [])
        #expect(
            try claim.apply(.submitted(Sample.facts(), Sample.byAlice))
                == [.propose(attempt: 1, .caller(Sample.alice), Sample.byAlice)]
        )
    }

    @Test func `an orphan's token is asked again, because it may be registered by now`() throws {
        var claim = Claim()
        _ = try claim.apply(.reported(Sample.facts(token: Sample.token)))
        #expect(try claim.apply(.refused(1)) == [])
        #expect(claim.state == .orphan)
        #expect(try claim.apply(.retried) == [.propose(attempt: 2, .token(Sample.token), nil)])
    }

    @Test func `a phone that waits brings further candidates when Apple's statement has none left`() throws {
        var claim = Claim()
        _ = try claim.apply(.reported(Sample.facts(token: Sample.token)))
        _ = try claim.apply(.submitted(Sample.facts(token: Sample.token), Sample.byBob))
        #expect(
            try claim.apply(
                .refused(1, waiting: Sample.byBob)
            ) == [.adopt(Sample.byBob), .propose(attempt: 2, .caller(Sample.bob), Sample.byBob)]
        )
    }

    @Test func `a refusal of an earlier proposal is stale`() throws {
        var claim = try Self.proposed(Sample.byAlice, token: Sample.token)
        _ = try claim.apply(.refused(1))
        let before = claim
        #expect(try claim.apply(.refused(1)) == [])
        #expect(claim == before)
    }

    @Test func `held stands whichever proposal it answers, and then everything is told`() throws {
        var claim = try Self.proposed(Sample.byAlice, token: Sample.token)
        _ = try claim.apply(.refused(1))
        #expect(try claim.apply(.held(1)) == [.restate(Sample.holder, Sample.byAlice)])
        #expect(throws: Claim.Refusal.heldByAnother) {
            try claim.apply(.held(attempt: 2, by: Sample.otherHolder, waiting: []))
        }
    }

    static func proposed(_ submission: Submission, token: String? = nil) throws -> Claim {
        var claim = Claim()
        _ = try claim.apply(.submitted(Sample.facts(token: token), submission))
        return claim
    }
}
