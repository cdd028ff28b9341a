import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: orders are free and proofs are copied, so what they hint at takes nothing and hides nobody who has more.
@Suite struct `hints beside a held purchase` {
    private let held = HeldPurchase()
    private var group: ReceiptsGroup { held.group }

    /// Carol, too, names an order of hers.
    private let naming = Sample.byCarol.naming(Sample.thirdOrder)

    // MARK: What a hint must not take

    @Test(arguments: [HolderEvidence.reassigned, .holder, .order, .token])
    func `take nothing from a holder of whom it is not known that no phone has handed it in`(
        evidence: HolderEvidence
    ) throws {
        let period = HeldPurchase.period(1, "PURCHASE")
        _ = try group.recall(period, evidence: evidence)
        let sent = try group.verify(period, HeldPurchase.naming).sent
        #expect(sent.map(\.type) == [ClaimConflictedV1.type])
        #expect(try sent.verdicts == [.conflict])
    }

    @Test func `take nothing from whom a move or an operator has given it to`() throws {
        let period = HeldPurchase.period(1, "PURCHASE")
        for payer in [Sample.alice, Sample.carol] {
            let group = ReceiptsGroup()
            _ = try group.recall(period, by: Sample.moved(to: Sample.alice, of: payer), evidence: .caller)
            #expect(try group.verify(period, HeldPurchase.naming).sent.verdicts == [.conflict])
        }
    }

    @Test(arguments: [HolderEvidence.order, .caller, .token, .registered])
    func `of an earlier period take no renewal that somebody has, and Apple's word does`(
        evidence: HolderEvidence
    ) throws {
        let (first, renewal) = (HeldPurchase.period(1, "PURCHASE"), HeldPurchase.period(2, "RENEWAL"))
        try group.verifyAndHold(renewal)
        let sent = try group.verifyAndHold(first, Sample.byBob, by: Sample.otherHolder, evidence: evidence)
        let isSigned = evidence == .token || evidence == .registered
        let taken = try sent.bodies(TransferRequestedV1.self)
        #expect(taken.map(\.toBuyerId) == (isSigned ? [Sample.bob] : []))
        #expect(taken.map(\.transaction.transactionId.rawValue) == (isSigned ? ["2"] : []))
    }

    @Test(arguments: ["RENEWAL", "PURCHASE"], [true, false])
    func `of a period about which Apple was silent take no renewal from who has the chain`(
        reason: String,
        isHandedIn: Bool
    ) throws {
        let stated = HeldPurchase.period(2, reason)
        let bare = stated.with(\.inAppOwnershipType, nil).with(\.transactionReason, nil)
        try group.verifyAndHold(HeldPurchase.period(1, "PURCHASE"))
        _ = try group.verify(bare, HeldPurchase.naming, inquiry: .asked)
        _ = try group.hold(bare, by: Sample.otherHolder, evidence: .order)
        let isRenewal = reason == "RENEWAL"
        let sent = try group.verify(stated, isHandedIn ? Sample.byAlice : nil).sent
        let taken = try sent.bodies(TransferRequestedV1.self)
        #expect(taken.map(\.toBuyerId) == (isRenewal ? [Sample.alice] : []))
        #expect(try sent.verdicts == (isRenewal || !isHandedIn ? [] : [.conflict]))
        guard isRenewal else { return }
        let (outcome, _) = try group.answerTransfer(
            stated,
            isTaken: false,
            from: Sample.bob,
            to: Sample.alice,
            because: .evidence
        )
        #expect(outcome == .applied)
        let again = try group.verify(stated.with(\.signedDate, stated.signedDate + 1)).sent
        #expect(try again.bodies(TransferRequestedV1.self).isEmpty, "it is asked for once")
    }

    @Test func `of what turns out to be shared while Orders is asked take nothing, and are told so`() throws {
        let bought = HeldPurchase.period(2, "PURCHASE")
        let bare = bought.with(\.inAppOwnershipType, nil).with(\.transactionReason, nil)
        try group.verifyAndHold(HeldPurchase.period(1, "PURCHASE"))
        try group.verifyAndHold(bare, nil, evidence: .holder)
        let asked = try group.verify(bare, HeldPurchase.naming).sent
        #expect(try asked.challengers == [.order(Sample.otherOrder)])
        let shared = bought.with(\.inAppOwnershipType, "FAMILY_SHARED")
        _ = try group.verify(shared)
        let attempt = try group.record(shared).claim.attempt
        let sent = try group.answer(shared, attempt: attempt, buyer: Sample.bob, order: Sample.otherOrder)
        #expect(try sent.verdicts == [.conflict])
    }

    @Test func `take no seats that were added to somebody's period`() throws {
        var seats = HeldPurchase.period(2, "PURCHASE")
        (seats.additionalTransactionReason, seats.purchaseDate) = ("SEAT_ADDITION", seats.purchaseDate - 50)
        try group.verifyAndHold(HeldPurchase.period(1, "PURCHASE"))
        try group.verifyAndHold(seats, nil, evidence: .holder)
        #expect(try group.verify(seats, HeldPurchase.naming).sent.verdicts == [.conflict])
    }

    @Test func `leave a renewal to the token that a late period between them states`() throws {
        _ = try group.recall(HeldPurchase.period(1, "PURCHASE"))
        _ = try group.recall(HeldPurchase.period(3, "RENEWAL"), evidence: .holder)
        let between = HeldPurchase.period(2, "PURCHASE", token: Sample.token)
        let sent = try group.verifyAndHold(between, Sample.byBob, by: Sample.otherHolder, evidence: .token)
        let taken = try sent.bodies(TransferRequestedV1.self)
        #expect(taken.map(\.transaction.transactionId.rawValue) == ["3"])
        #expect(taken.map(\.toBuyerId) == [Sample.bob])
    }

    @Test func `that have moved a period take nothing along that its former holder buys later`() throws {
        let period = HeldPurchase.period(1, "PURCHASE")
        let later = HeldPurchase.period(2, "RENEWAL", token: Sample.token)
        _ = try group.recall(period)
        _ = try held.answerTransfer(period, isTaken: true)
        _ = try group.recall(period, by: held.newHolder, evidence: .order)
        let sent = try group.verifyAndHold(later, evidence: .token)
        #expect(try sent.bodies(TransferRequestedV1.self).isEmpty)
    }

    /// The order that it pays is his evidence, too, if Orders says that it was there before.
    @Test(arguments: [Sample.order, Sample.otherOrder])
    func `against who has the chain are a conflict, and against who names an order as well`(
        order: OrderID
    ) throws {
        let period = HeldPurchase.period(2, "PURCHASE")
        _ = try group.recall(HeldPurchase.period(1, "PURCHASE"))
        try group.verifyAndHold(period)
        #expect(try group.record(period).claim.heldBy == .holder)
        #expect(try group.verify(period, naming).sent.verdicts == [.conflict])
        try held.holdWeakly()
        let own = Sample.byAlice.naming(order)
        #expect(try group.verify(held.castle, own).sent.challengers == [.order(order)])
        _ = try group.answer(held.castle, buyer: Sample.alice, order: order)
        #expect(try held.claim().heldBy == .order)
    }

    @Test func `keep an earlier period that a later one's token does not name`() throws {
        let renewal = HeldPurchase.period(2, "RENEWAL")
        let later = HeldPurchase.period(3, "RENEWAL", token: Sample.token)
        try group.verifyAndHold(renewal)
        _ = try group.recall(later, by: Sample.otherHolder, evidence: .token)
        let again = try group.verify(renewal, Sample.byAlice).sent
        #expect(again.map(\.type) == [TransactionUpdatedV1.type])
    }

    // MARK: Who is parked

    @Test func `do not displace whom a token names, and several are parked`() throws {
        try held.holdWeakly()
        _ = try group.verify(held.castle, naming)
        #expect(try group.answer(held.castle, buyer: Sample.carol).verdicts == [.parked])
        _ = try group.verify(held.stated, Sample.byBob)
        _ = try group.answer(held.stated, attempt: 3, buyer: Sample.bob, order: Sample.otherOrder)
        let end = try held.answerTransfer(held.stated, isTaken: false)
        #expect(try Set(end.verdicts) == [.parked] && end.verdicts.count == 2)
        #expect(try held.claim().claimants == [Sample.bob, Sample.carol])
        #expect(try held.reassign().outcome.reply == nil, "an operator must say whose it is")
        #expect(try held.reassign(to: Sample.bob).outcome.reply?.effect == .moves)
    }

    @Test func `are asked about one after the other, after a token that names nobody`() throws {
        try held.holdWeakly()
        let sent = try group.verify(held.stated, HeldPurchase.naming).sent
        #expect(try sent.challengers == [.token(Sample.token)])
        let next = try group.answer(held.stated, buyer: nil)
        #expect(try next.challengers == [.order(Sample.otherOrder)] && next.verdicts.isEmpty)
        let end = try group.answer(held.stated, attempt: 3, buyer: Sample.bob, order: Sample.otherOrder)
        #expect(try end.verdicts == [.parked])
    }

    @Test func `are asked about again by a store that was restored without the answer`() throws {
        try held.holdWeakly()
        _ = try group.verify(held.castle, HeldPurchase.naming)
        group.ownedSince = group.now
        let sent = try group.recall(held.castle).sent
        let asked = try sent.bodies(ClaimChallengedV1.self)
        #expect(asked.map(\.candidate) == [.order(Sample.otherOrder)])
        #expect(try group.answer(held.castle, buyer: Sample.bob).isEmpty, "an answer to the earlier owner")
        let attempt = try #require(asked.first?.attempt)
        #expect(try group.answer(held.castle, attempt: attempt, buyer: Sample.bob).verdicts == [.parked])
    }

    @Test func `that two name are each asked about once`() throws {
        try held.holdWeakly()
        _ = try group.verify(held.castle, HeldPurchase.naming)
        #expect(try group.verify(held.castle, naming).sent.isEmpty)
        let next = try group.answer(held.castle, buyer: nil)
        #expect(try next.verdicts == [.conflict] && next.challengers == [.order(Sample.thirdOrder)])
        let end = try group.answer(held.castle, attempt: 3, buyer: nil)
        #expect(try end.verdicts == [.conflict] && end.challengers.isEmpty)
        #expect(try held.claim().challenge == nil && !held.claim().hasWaiters)
    }

    @Test func `end where a token comes meanwhile: it is weighed before anybody is told`() throws {
        try held.holdWeakly()
        _ = try group.verify(held.castle, naming)
        #expect(try group.verify(held.stated, Sample.byBob).sent.verdicts.isEmpty)
        let next = try group.answer(held.stated, buyer: nil)
        #expect(try next.challengers == [.token(Sample.token)] && next.verdicts.isEmpty)
    }

    @Test func `of a purchase that is refunded in full end, and nobody waits`() throws {
        try held.holdWeakly()
        _ = try group.verify(held.castle, naming)
        _ = try group.answer(held.castle, buyer: Sample.carol)
        var refunded = held.castle
        (refunded.signedDate, refunded.revocationDate) = (refunded.signedDate + 9, refunded.signedDate + 9)
        (refunded.revocationType, refunded.revocationPercentage) = ("REFUND_PRORATED", 30_000)
        #expect(try group.verify(refunded).sent.verdicts.isEmpty)
        #expect(try contested() == 1, "a part of it is still to be had")
        #expect(try contested(with: "period = 1", instead: "period = 0") == 0, "time is not divided")
        let (full, prorated) = (Self.revocation("REFUND_FULL"), Self.revocation("REFUND_PRORATED"))
        #expect(try contested(with: full, instead: prorated) == 0, "nothing is left of it")
        #expect(try contested() == 1)
        (refunded.signedDate, refunded.revocationPercentage) = (refunded.signedDate + 9, nil)
        #expect(try group.verify(refunded).sent.verdicts == [.ended])
        #expect(!(try held.claim().hasWaiters))
        #expect(try contested() == 0)
        (refunded.signedDate, refunded.revocationDate) = (refunded.signedDate + 9, nil)
        _ = try group.verify(refunded)
        #expect(group.alarms.count == 1, "the refund was taken back, so that it must be decided again")
        _ = try group.verify(refunded, naming)
        #expect(try group.answer(refunded, attempt: 3, buyer: Sample.carol).verdicts == [.parked])
    }

    private static func revocation(_ type: String) -> String {
        "signed_transaction = json_set(signed_transaction, '$.revocationType', '\(type)')"
    }

    /// The same with a change to the stored claim, which is then taken back.
    private func contested(with change: String, instead former: String) throws -> Double? {
        func write(_ change: String) throws {
            try group.execute("UPDATE claim SET \(raw: change)", in: ReceiptsGroup.partition(of: held.castle))
        }
        try write(change)
        defer { #expect(throws: Never.self) { try write(former) } }
        return try contested()
    }

    private func contested() throws -> Double? {
        try group.gauges(ReceiptsGroup.partition(of: held.castle))["counterfoil_transactions_contested"]
    }

    // MARK: Restores

    @Test func `wait with a token while a restore is answered, which comes first`() throws {
        try held.holdWeakly()
        let asked = try group.verify(held.castle, Sample.byCarol.restoring).sent
        #expect(try asked.bodies(TransferRequestedV1.self).map(\.cause) == [.restore])
        #expect(try group.verify(held.stated, Sample.byBob).sent.verdicts.isEmpty)
        let next = try group.answerTransfer(held.stated, isTaken: false, to: Sample.carol).sent
        #expect(try next.challengers == [.token(Sample.token)] && next.verdicts.isEmpty)
    }

    @Test func `end with a challenge when it turns out that a restore had moved it`() throws {
        try held.holdWeakly()
        _ = try group.verify(held.stated, Sample.byBob)
        _ = try group.answer(held.stated, buyer: Sample.bob, order: Sample.otherOrder)
        #expect(try group.answerTransfer(held.stated, to: Sample.carol).sent.verdicts == [.conflict])
        #expect(try held.claim().challenge == nil && held.claim().state.holder?.buyer == Sample.carol)
    }

    @Test func `are restores all the same when a waiting proof is handed in once more to restore it`() throws
    {
        _ = try group.verify(held.castle, Sample.byAlice)
        _ = try group.verify(held.castle, Sample.byCarol)
        _ = try group.verify(held.castle, Sample.byCarol.restoring)
        _ = try group.verify(held.castle, Sample.byCarol)
        let sent = try group.hold(held.castle).sent
        #expect(try sent.bodies(TransferRequestedV1.self).map(\.toBuyerId) == [Sample.carol])
    }

    @Test func `of an older copy of Orders lose the order that it has paid once more`() throws {
        _ = try group.recall(held.castle, by: held.newHolder, evidence: .token)
        let sent = try group.hold(held.castle).sent
        #expect(try sent.bodies(OrderReleasedV1.self).map(\.orderId) == [Sample.order])
        #expect(try held.claim().state == .held(held.newHolder))
    }

    // MARK: Decisions

    @Test func `change nothing after an operator has decided for the holder`() throws {
        try held.holdWeakly()
        #expect(try held.reassign(to: Sample.alice).outcome.reply?.effect == .nothing)
        #expect(try group.verify(held.castle, naming).sent.verdicts == [.conflict])
        #expect(try group.verify(held.stated, Sample.byBob).sent.challengers.isEmpty)
    }

    @Test func `change nothing of a purchase that an operator has given to somebody`() throws {
        _ = try group.verify(held.castle)
        _ = try held.reassign(to: Sample.carol)
        _ = try group.hold(held.castle, by: Claim.Holder(buyer: Sample.carol, order: Sample.thirdOrder))
        #expect(try held.claim().heldBy == .reassigned && held.claim().claimants.isEmpty)
        #expect(try group.verify(held.stated, Sample.byBob).sent.challengers.isEmpty)
    }
}
