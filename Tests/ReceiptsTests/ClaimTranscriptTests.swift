import Contracts
import Testing

@testable import Receipts

/// What of the table of `Claim` no handler shows; the others are in `ClaimHandlerTests`.
@Suite struct `a claim's story` {
    @Test(arguments: [nil, "ORDER-4711", "", Sample.token])
    func `a named order that is none of ours is passed over`(hint: String?) throws {
        var claim = Claim()
        let submission = Submission(receiptId: Sample.receipt(1), submitter: Sample.alice, orderId: hint)
        let directives = try claim.apply(.submitted(Sample.facts(), submission))
        #expect(directives == [.storeFacts, .propose(attempt: 1, .caller(Sample.alice), submission)])
    }

    @Test func `a refund goes with the next proposal, and is not told again`() throws {
        var claim = try Self.proposedByToken()
        _ = try claim.apply(.statedByApple(Sample.facts(5, revoked: true)))
        _ = try claim.apply(.refused(1))
        #expect(try claim.apply(.held(2)) == [])
    }

    @Test func `news in another's submission go onward without it`() throws {
        var claim = Claim(state: .held(Sample.holder), facts: Sample.facts(10), attempt: 1)
        let submitted = Claim.Event.submitted(Sample.facts(20), Sample.byBob)
        let conflict = Claim.Directive.sendConflict(Sample.byBob)
        try claim.tell(
            (submitted, [.storeFacts, .restate(Sample.holder, nil), conflict]),
            (submitted, [conflict])
        )
    }

    @Test func `without token and submission it is an orphan, which a phone ends`() throws {
        var claim = Claim()
        let proposal = Claim.Directive.propose(attempt: 1, .caller(Sample.alice), Sample.byAlice)
        try claim.tell((.statedByApple(Sample.facts()), [.storeFacts]), (.retried, []))
        #expect(claim.state == .orphan)
        try claim.tell((.submitted(Sample.facts(), Sample.byAlice), [proposal]))
    }

    @Test func `held stands whichever proposal it answers, and then everything is told`() throws {
        var claim = try Self.proposedByToken()
        _ = try claim.apply(.refused(1))
        #expect(try claim.apply(.held(1)) == [.restate(Sample.holder, Sample.byAlice)])
    }

    private static func proposedByToken() throws -> Claim {
        var claim = Claim()
        _ = try claim.apply(.submitted(Sample.facts(token: Sample.token), Sample.byAlice))
        return claim
    }
}
