import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: only Apple's signed token takes a purchase from its holder; and in one case an order from before the payment.
@Suite struct `a held purchase that another buyer's evidence names` {
    private let held = HeldPurchase()
    private var group: ReceiptsGroup { held.group }
    private var castle: SignedTransaction { held.castle }
    private var stated: SignedTransaction { held.stated }

    @Test func `goes by a token: Orders is asked, the ledger takes, and the newcomer's order is paid`() throws
    {
        try held.holdWeakly()
        let asked = try group.verify(stated, Sample.byBob).sent
        #expect(asked.map(\.type) == [ClaimChallengedV1.type, TransactionUpdatedV1.type])
        #expect(try asked.challengers == [.token(Sample.token)])
        let taking = try group.answer(stated, buyer: Sample.bob, order: Sample.otherOrder)
        let request = try taking.bodies(TransferRequestedV1.self)
        #expect(request.map(\.cause) == [.evidence] && request.map(\.transfer) == [1])
        let state = try held.claim().state
        #expect(state == .held(Sample.holder), "nothing moves before the ledger has taken it")
        let moving = try held.answerTransfer(stated, isTaken: true)
        let moved = try #require(try moving.bodies(ClaimMovedV1.self).first)
        #expect((moved.buyerId, moved.orderId) == (Sample.bob, Sample.otherOrder))
        #expect((moved.fromOrderId, moved.transfer) == (Sample.order, 1))
        #expect(try moving.bodies(OrderReleasedV1.self).map(\.orderId) == [Sample.order])
        #expect(try held.claim().state == .held(Sample.holder))
        let end = try held.becomeHeld(stated)
        #expect(try held.claim().state == .held(held.newHolder))
        #expect(try held.claim().challenge == nil && held.claim().heldBy == .token)
        let updates = try end.bodies(TransactionUpdatedV1.self)
        #expect(updates.map(\.submission?.submitter) == [Sample.bob])
        #expect(updates.map(\.buyerId) == [Sample.bob])
        #expect(try group.verify(stated, Sample.byAlice).sent.map(\.type) == [ClaimConflictedV1.type])
    }

    @Test func `stays where Orders names the holder, or nobody, and nobody is asked again`() throws {
        for (buyer, evidence) in [(Sample.alice, .token), (nil, .caller)] as [(BuyerID?, HolderEvidence)] {
            let group = ReceiptsGroup()
            try group.verifyAndHold(held.bare)
            _ = try group.verify(stated, Sample.byBob)
            #expect(try group.answer(stated, buyer: buyer).map(\.type) == [ClaimConflictedV1.type])
            #expect(try group.record(stated).claim.heldBy == evidence)
            let again = try group.verify(stated, Sample.byBob).sent
            #expect(again.map(\.type) == [ClaimConflictedV1.type])
        }
    }

    @Test func `that gave amounts stays; the newcomer is parked, and an operator is alarmed`() throws {
        let verdicts = try held.park().bodies(ClaimConflictedV1.self).map(\.transaction)
        #expect(verdicts.map(\.verdict) == [.parked] && verdicts.map(\.reason) == [Challenge.parkReason])
        #expect(try held.claim().claimants == [Sample.bob] && held.claim().state == .held(Sample.holder))
        let gauges = try group.gauges(ReceiptsGroup.partition(of: castle))
        #expect(gauges["counterfoil_transactions_contested"] == 1)
        #expect(try group.verify(stated, Sample.byBob).sent.verdicts == [.parked])
        #expect(try group.verify(stated, Sample.byCarol).sent.verdicts == [.conflict])
    }

    @Test func `stays with whom a restore has moved it to`() throws {
        _ = try group.recall(held.bare, by: Sample.moved(to: Sample.carol))
        let sent = try group.verify(stated, Sample.byBob).sent
        #expect(try sent.bodies(ClaimChallengedV1.self).isEmpty)
        #expect(try sent.verdicts == [.conflict])
    }

    @Test func `is weighed when it is held, by what came while it was proposed`() throws {
        _ = try group.verify(held.bare, Sample.byAlice)
        #expect(try group.verify(stated, Sample.byBob).sent.isEmpty)
        let sent = try group.hold(held.bare, evidence: .caller).sent
        #expect(try sent.bodies(ClaimChallengedV1.self).count == 1)
        #expect(try sent.bodies(ClaimConflictedV1.self).isEmpty, "nobody is told before it is known")
        let end = try group.answer(stated, buyer: Sample.alice)
        #expect(try end.bodies(ClaimConflictedV1.self).map(\.submission.submitter) == [Sample.bob])
    }

    @Test func `is not weighed by what named its holder, nor by a renewal's repeated token`() throws {
        let own = HeldPurchase.signed("7", token: Sample.token)
        try group.verifyAndHold(own, evidence: .token)
        #expect(try group.verify(own, Sample.byBob).sent.bodies(ClaimChallengedV1.self).isEmpty)
        var renewal = HeldPurchase.signed("8", type: ProductType.autoRenewable, token: Sample.token)
        (renewal.transactionReason, renewal.expiresDate) = ("RENEWAL", Sample.start.milliseconds + 1_000_000)
        _ = try group.recall(renewal, evidence: .holder)
        #expect(try group.verify(renewal, Sample.byBob).sent.bodies(ClaimChallengedV1.self).isEmpty)
    }

    // MARK: An operator's decision

    @Test func `goes to the parked newcomer when an operator says so, once, and the phone hears of it`()
        throws
    {
        _ = try held.park()
        #expect(try held.reassign(isDryRun: true).outcome.reply?.effect == .moves)
        #expect(try held.claim().challenge == nil, "a dry run does nothing")
        let decided = try held.reassign()
        let reply = decided.outcome.reply
        #expect(reply?.holderId == Sample.alice && reply?.buyerId == Sample.bob)
        #expect(try decided.sent.bodies(TransferRequestedV1.self).map(\.cause) == [.reassign])
        #expect(try held.reassign(to: Sample.bob).outcome.reply?.effect == .underWay)
        #expect(try held.reassign(to: Sample.bob).sent.isEmpty)
        #expect(try held.reassign(to: Sample.carol).outcome.reply == nil)
        let moving = try held.answerTransfer(stated, isTaken: true)
        #expect(try moving.bodies(ClaimMovedV1.self).map(\.evidence) == [.reassigned])
        let end = try held.becomeHeld(stated).bodies(TransactionUpdatedV1.self)
        #expect(end.map(\.submission?.submitter) == [Sample.bob])
        #expect(try held.reassign(to: Sample.bob).outcome.reply?.effect == .nothing)
    }

    @Test func `is granted to a proof that had a conflict, once an operator has given it to that buyer`()
        throws
    {
        try held.holdWeakly()
        let place = ReceiptsGroup.partition(of: castle)
        group.proofs.contents["bob's"] = .success([castle])
        let handedIn = try group.submit("bob's", by: Sample.bob, stated: TransactionID(unchecked: "5"))
        let receipt = try #require(handedIn.outcome.reply?.receiptId)
        #expect(try group.rows("SELECT buyer_id FROM submission", partition: place) == [[.text("bob")]])
        _ = try held.reassign(to: Sample.bob)
        _ = try held.answerTransfer(castle, isTaken: true, cause: .reassign)
        let updates = try held.becomeHeld(castle).bodies(TransactionUpdatedV1.self)
        #expect(updates.map(\.submission?.receiptId).contains(receipt))
        #expect(updates.allSatisfy { $0.buyerId == Sample.bob })
    }

    @Test func `stays when an operator decides for its holder, and who was parked has a conflict`() throws {
        _ = try held.park()
        #expect(try held.reassign(to: Sample.alice).sent.verdicts == [.conflict])
        #expect(try held.claim().claimants.isEmpty)
        #expect(try held.reassign().outcome.reply == nil, "nobody is parked")
    }

    @Test func `that a restore has moved goes back to who paid, at once`() throws {
        _ = try group.recall(castle, by: Sample.moved(to: Sample.carol))
        let decided = try held.reassign(to: Sample.alice)
        #expect(decided.outcome.reply?.effect == .moves)
        let requests = try decided.sent.bodies(TransferRequestedV1.self)
        #expect(requests.map(\.cause) == [.restore] && requests.map(\.buyerId) == [Sample.carol])
        #expect(requests.map(\.toBuyerId) == [Sample.alice] && requests.map(\.transfer) == [2])
    }

    @Test func `that a restore had moved is taken from both ledgers`() throws {
        _ = try group.recall(castle, by: Sample.moved(to: Sample.carol))
        let first = try held.reassign(to: Sample.bob).sent.bodies(TransferRequestedV1.self)
        #expect(first.map(\.buyerId) == [Sample.alice] && first.map(\.transfer) == [2])
        func answerTransfer(_ buyer: BuyerID) throws -> [OutgoingEvent] {
            try held.answerTransfer(castle, isTaken: true, from: buyer, transfer: 2, cause: .reassign)
        }
        let second = try answerTransfer(Sample.alice)
        #expect(try second.bodies(TransferRequestedV1.self).map(\.buyerId) == [Sample.carol])
        #expect(try second.bodies(ClaimMovedV1.self).isEmpty, "the holder still has it")
        #expect(try answerTransfer(Sample.alice).isEmpty, "said twice")
        let moving = try answerTransfer(Sample.carol)
        #expect(try moving.bodies(ClaimMovedV1.self).map(\.transfer) == [2])
        let steps = try redriven(.entitlements).bodies(TransferRequestedV1.self)
        let decided = steps.filter { $0.cause == .reassign }
        #expect(Set(decided.map(\.buyerId)) == [Sample.alice, Sample.carol])
        #expect(decided.allSatisfy { $0.isAnswered && $0.transfer == 2 })
    }

    @Test func `that nobody holds is proposed to whom an operator names`() throws {
        _ = try group.verify(castle)
        #expect(try held.reassign(to: Sample.carol).sent.candidates == [.caller(Sample.carol)])
    }

    // MARK: Orders that submissions name

    @Test func `without a phone goes to the order that was there before the payment`() throws {
        let (before, period) = (HeldPurchase.period(1, "PURCHASE"), HeldPurchase.period(3, "PURCHASE"))
        _ = try group.recall(before)
        #expect(try group.verify(period).sent.bodies(ClaimProposedV1.self).count == 1)
        _ = try group.hold(period)
        let sent = try group.verify(period, HeldPurchase.naming).sent
        #expect(try sent.challengers == [.order(Sample.otherOrder)])
        let taking = try group.answer(period, buyer: Sample.bob, order: Sample.otherOrder)
        #expect(try taking.bodies(TransferRequestedV1.self).map(\.toBuyerId) == [Sample.bob])
    }

    @Test func `stays with a holder who has handed it in, whatever order is named`() throws {
        let period = HeldPurchase.period()
        _ = try group.recall(period, evidence: .holder)
        _ = try group.verify(period, Sample.byAlice)
        let sent = try group.verify(period, HeldPurchase.naming).sent
        #expect(sent.map(\.type) == [ClaimConflictedV1.type])
    }

    /// An id alone, or another login's proof, is no sign that the holder has paid.
    @Test(arguments: [true, false])
    func `goes to the order all the same if its holder has handed in nothing of their own`(
        isHeld: Bool
    ) throws {
        let (before, period) = (HeldPurchase.period(1, "PURCHASE"), HeldPurchase.period(3, "PURCHASE"))
        _ = try group.recall(before)
        if isHeld { try group.verifyAndHold(period, nil) }
        try group.verifyAndHold(period, Sample.byAlice.forAnother)
        #expect(try !group.record(period).claim.isHandedIn)
        let sent = try group.verify(period, HeldPurchase.naming).sent
        #expect(try sent.challengers == [.order(Sample.otherOrder)])
        let taking = try group.answer(period, buyer: Sample.bob, order: Sample.otherOrder)
        #expect(try taking.bodies(TransferRequestedV1.self).map(\.toBuyerId) == [Sample.bob])
    }

    @Test func `of whom is only known that he was first parks who has an order`() throws {
        try held.holdWeakly()
        let sent = try group.verify(castle, HeldPurchase.naming).sent
        #expect(try sent.challengers == [.order(Sample.otherOrder)])
        let end = try group.answer(castle, buyer: Sample.bob, order: Sample.otherOrder)
        #expect(try end.verdicts == [.parked])
        #expect(try held.claim().state == .held(Sample.holder))
    }

    @Test func `changes nothing for an order that Orders does not accept`() throws {
        try held.holdWeakly()
        _ = try group.verify(castle, HeldPurchase.naming)
        let end = try group.answer(castle, buyer: nil)
        #expect(try end.verdicts == [.conflict])
    }

    // MARK: Chains

    @Test func `takes the later periods of its chain along, up to one that somebody has bought`() throws {
        for (number, reason, evidence) in [
            (1, "PURCHASE", .caller), (2, "RENEWAL", .holder), (3, "RENEWAL", .holder),
            (4, "PURCHASE", .order), (5, "RENEWAL", .holder),
        ] as [(Int, String, HolderEvidence)] {
            _ = try group.recall(HeldPurchase.period(number, reason), evidence: evidence)
        }
        let newer = HeldPurchase.period(1, "PURCHASE", signed: 1, token: Sample.token)
        _ = try group.verify(newer)
        _ = try group.answer(newer, attempt: 1, buyer: Sample.bob)
        _ = try held.answerTransfer(newer, isTaken: true)
        let sent = try held.becomeHeld(newer).bodies(TransferRequestedV1.self)
        #expect(sent.map(\.transaction.transactionId.rawValue) == ["2", "3"])
        #expect(sent.map(\.cause) == [.evidence, .evidence])
        #expect(sent.map(\.toBuyerId) == [Sample.bob, Sample.bob])
    }

    // MARK: Restored stores

    /// What the claim's partition sends again to those of a service.
    private func redriven(_ service: ServiceName) throws -> [OutgoingEvent] {
        let partition = ReceiptsGroup.partition(of: castle)
        return try (0..<ReceiptsGroup.partitions).flatMap {
            try group.redrive(from: partition, to: service, $0).sent
        }
    }

    @Test func `moves on when the ledger says again that it has taken it`() throws {
        try held.holdWeakly()
        let moving = try held.answerTransfer(stated, isTaken: true)
        #expect(try moving.bodies(ClaimMovedV1.self).map(\.buyerId) == [Sample.bob])
        #expect(try held.answerTransfer(stated, isTaken: true).isEmpty, "said twice")
    }

    @Test func `moves as soon as it is held, if the ledger had taken it before`() throws {
        _ = try held.answerTransfer(stated, isTaken: true)
        let sent = try group.recall(stated, evidence: .caller).sent
        #expect(try sent.bodies(ClaimMovedV1.self).map(\.buyerId) == [Sample.bob])
        _ = try held.becomeHeld(stated)
        #expect(try held.claim().state == .held(held.newHolder))
    }

    @Test func `asks, moves and releases again for whoever was restored`() throws {
        try held.holdWeakly()
        _ = try group.verify(stated, Sample.byBob)
        #expect(try redriven(.orders).bodies(ClaimChallengedV1.self).count == 1)
        _ = try group.answer(stated, buyer: Sample.bob, order: Sample.otherOrder)
        #expect(try redriven(.entitlements).bodies(TransferRequestedV1.self).map(\.isAnswered) == [false])
        _ = try held.answerTransfer(stated, isTaken: true)
        #expect(try redriven(.orders).bodies(ClaimMovedV1.self).count == 1)
        #expect(try redriven(.orders).bodies(OrderReleasedV1.self).count >= 1)
        _ = try held.becomeHeld(stated)
        #expect(try redriven(.orders).bodies(OrderReleasedV1.self).map(\.orderId) == [Sample.order])
        let steps = try redriven(.entitlements).bodies(TransferRequestedV1.self)
        #expect(steps.map(\.isAnswered) == [true] && steps.map(\.cause) == [.evidence])
        let older = try group.recall(stated).sent
        #expect(older.map(\.type) == [OrderReleasedV1.type], "Orders was an older copy")
        #expect(try held.claim().state == .held(held.newHolder))
    }
}
