import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: Apple's word about one period of a chain is not kept from the others by a hint, in whatever order they come.
@Suite struct `hints beside the other periods of a chain` {
    private let held: HeldPurchase
    private var group: ReceiptsGroup { held.group }
    private let bob = Claim.Holder(buyer: Sample.bob, order: Sample.otherOrder)

    init() throws { held = try HeldPurchase() }

    private func taken(_ sent: [OutgoingEvent]) throws -> [String] {
        try sent.bodies(TransferRequestedV1.self).map {
            "\($0.transaction.transactionId) to \($0.toBuyerId)"
        }
    }

    @Test func `seats without a token go to whom the token of their period names, though a copy came first`()
        throws
    {
        let base = HeldPurchase.period(1, "PURCHASE", token: Sample.token)
        var seats = HeldPurchase.period(2, "PURCHASE")
        seats.additionalTransactionReason = "SEAT_ADDITION"
        _ = try group.verify(seats, Sample.byAlice)
        _ = try group.hold(seats)
        _ = try group.verify(base, Sample.byBob)
        let sent = try group.hold(base, by: bob, evidence: .token).sent
        #expect(try taken(sent) == ["2 to \(Sample.bob)"])
    }

    @Test func `a move takes no period along whose own token is being asked about`() throws {
        let first = HeldPurchase.period(1, "PURCHASE")
        var later = HeldPurchase.period(2, "PURCHASE", token: Sample.token)
        later.signedDate += 1
        _ = try group.recall(first, by: Sample.holder)
        _ = try group.recall(HeldPurchase.period(2, "PURCHASE"), by: Sample.holder)
        let asked = try group.verify(later, Sample.byCarol).sent
        #expect(try asked.bodies(ClaimChallengedV1.self).map(\.candidate) == [.token(Sample.token)])
        _ = try held.answerTransfer(first, isTaken: true)
        let moved = try held.becomeHeld(first)
        #expect(try taken(moved).isEmpty)
        #expect(try taken(held.answer(later, attempt: 1, buyer: Sample.carol)) == ["2 to \(Sample.carol)"])
    }

    @Test
    func `a move takes no period along that is on its way to whom its token names, nor what comes behind`()
        throws
    {
        let first = HeldPurchase.period(1, "PURCHASE")
        var second = HeldPurchase.period(2, "PURCHASE", token: Sample.token)
        second.signedDate += 1
        for period in [first, HeldPurchase.period(2, "PURCHASE"), HeldPurchase.period(3, "RENEWAL")] {
            _ = try group.recall(period, by: Sample.holder)
        }
        _ = try group.verify(second, Sample.byCarol)
        _ = try held.answer(second, attempt: 1, buyer: Sample.carol)
        _ = try held.answerTransfer(first, isTaken: true)
        #expect(try taken(held.becomeHeld(first)).isEmpty)
    }

    @Test func `a made-up order keeps no later period from an operator's decision`() throws {
        let (first, later) = (HeldPurchase.period(1, "PURCHASE"), HeldPurchase.period(2, "PURCHASE"))
        _ = try group.recall(first, by: Sample.holder)
        _ = try group.recall(later, by: Sample.holder)
        var own = Sample.byAlice
        own.orderId = Sample.thirdOrder.rawValue
        _ = try group.verify(later, own)
        _ = try held.answerTransfer(first, isTaken: true, cause: .reassign)
        #expect(try taken(held.becomeHeld(first)) == ["2 to \(Sample.bob)"])
        #expect(try held.answer(later, attempt: 1, buyer: nil).isEmpty, "nobody asks that any more")
    }

    @Test func `a renewal goes to whom Apple gave the period before, though an order had parked that buyer`()
        throws
    {
        let (first, renewal) = (HeldPurchase.period(1, "PURCHASE"), HeldPurchase.period(2, "RENEWAL"))
        _ = try group.verify(renewal, Sample.byAlice)
        _ = try group.hold(renewal)
        _ = try group.verify(renewal, HeldPurchase.naming)
        _ = try held.answer(renewal, buyer: Sample.bob, order: Sample.otherOrder)
        #expect(try group.record(renewal).claim.claimants == [Sample.bob])
        _ = try group.verify(first, Sample.byBob)
        let sent = try group.hold(first, by: bob, evidence: .token).sent
        #expect(try taken(sent) == ["2 to \(Sample.bob)"])
        let kept = try held.answerTransfer(renewal, isTaken: false)
        #expect(try taken(kept).isEmpty, "it gave amounts, so that an operator decides")
        #expect(try taken(group.verify(renewal, Sample.byBob).sent).isEmpty)
        #expect(try group.record(renewal).claim.claimants == [Sample.bob])
    }
}
