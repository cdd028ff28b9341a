import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: Apple's word about one period of a chain is not kept from the others by a hint, in whatever order they come.
@Suite struct `hints beside the other periods of a chain` {
    private let held = HeldPurchase()
    private var group: ReceiptsGroup { held.group }

    private func taken(_ sent: [OutgoingEvent]) throws -> [String] {
        try sent.bodies(TransferRequestedV1.self).map {
            "\($0.transaction.transactionId) to \($0.toBuyerId)"
        }
    }

    @Test func `seats without a token go to whom the token of their period names, though a copy came first`()
        throws
    {
        let base = HeldPurchase.period(1, "PURCHASE", token: Sample.token)
        let seats = HeldPurchase.period(2, "PURCHASE").with(\.additionalTransactionReason, "SEAT_ADDITION")
        try group.verifyAndHold(seats)
        let sent = try group.verifyAndHold(base, Sample.byBob, by: Sample.otherHolder, evidence: .token)
        #expect(try taken(sent) == ["2 to \(Sample.bob)"])
    }

    @Test func `a move takes no period along whose own token is being asked about`() throws {
        let first = HeldPurchase.period(1, "PURCHASE")
        let later = HeldPurchase.period(2, "PURCHASE", signed: 1, token: Sample.token)
        _ = try group.recall(first)
        _ = try group.recall(HeldPurchase.period(2, "PURCHASE"))
        let asked = try group.verify(later, Sample.byCarol).sent
        #expect(try asked.challengers == [.token(Sample.token)])
        _ = try held.answerTransfer(first, isTaken: true)
        let moved = try held.becomeHeld(first)
        #expect(try taken(moved).isEmpty)
        #expect(try taken(group.answer(later, attempt: 1, buyer: Sample.carol)) == ["2 to \(Sample.carol)"])
    }

    @Test
    func `a move takes no period along that is on its way to whom its token names, nor what comes behind`()
        throws
    {
        let first = HeldPurchase.period(1, "PURCHASE")
        let second = HeldPurchase.period(2, "PURCHASE", signed: 1, token: Sample.token)
        for period in [first, HeldPurchase.period(2, "PURCHASE"), HeldPurchase.period(3, "RENEWAL")] {
            _ = try group.recall(period)
        }
        _ = try group.verify(second, Sample.byCarol)
        _ = try group.answer(second, attempt: 1, buyer: Sample.carol)
        _ = try held.answerTransfer(first, isTaken: true)
        #expect(try taken(held.becomeHeld(first)).isEmpty)
    }

    @Test func `a made-up order keeps no later period from an operator's decision`() throws {
        let (first, later) = (HeldPurchase.period(1, "PURCHASE"), HeldPurchase.period(2, "PURCHASE"))
        _ = try group.recall(first)
        _ = try group.recall(later)
        _ = try group.verify(later, Sample.byAlice.naming(Sample.thirdOrder))
        _ = try held.answerTransfer(first, isTaken: true, cause: .reassign)
        #expect(try taken(held.becomeHeld(first)) == ["2 to \(Sample.bob)"])
        #expect(try group.answer(later, attempt: 1, buyer: nil).isEmpty, "nobody asks that any more")
    }

    @Test func `a renewal goes to whom Apple gave the period before, though an order had parked that buyer`()
        throws
    {
        let (first, renewal) = (HeldPurchase.period(1, "PURCHASE"), HeldPurchase.period(2, "RENEWAL"))
        try group.verifyAndHold(renewal)
        _ = try group.verify(renewal, HeldPurchase.naming)
        _ = try group.answer(renewal, buyer: Sample.bob, order: Sample.otherOrder)
        #expect(try group.record(renewal).claim.claimants == [Sample.bob])
        let sent = try group.verifyAndHold(first, Sample.byBob, by: Sample.otherHolder, evidence: .token)
        #expect(try taken(sent) == ["2 to \(Sample.bob)"])
        let kept = try held.answerTransfer(renewal, isTaken: false)
        #expect(try taken(kept).isEmpty, "it gave amounts, so that an operator decides")
        #expect(try taken(group.verify(renewal, Sample.byBob).sent).isEmpty)
        #expect(try group.record(renewal).claim.claimants == [Sample.bob])
    }
}
