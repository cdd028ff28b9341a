import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// A Non-Consumable that Alice has by an app receipt, and what Orders, ledgers and an operator say of it.
struct HeldPurchase {
    let group = ReceiptsGroup()
    let castle = signed("5", type: ProductType.nonConsumable)
    let newHolder = Sample.moved(to: Sample.bob, Sample.otherOrder, of: Sample.bob)

    static func signed(
        _ id: String,
        type: String = ProductType.nonConsumable,
        signed: Int64 = 0,
        token: String? = nil
    ) -> SignedTransaction {
        Sample.transaction(id, type: type, signed: signed, token: token)
            .with(\.inAppOwnershipType, "PURCHASED")
    }

    /// As an app receipt lists it.
    var bare: SignedTransaction { castle.with(\.inAppOwnershipType, nil) }

    var stated: SignedTransaction { Self.signed("5", signed: 5, token: Sample.token) }

    /// Alice has it, because she was the first to hand the receipt in.
    func holdWeakly() throws { try group.verifyAndHold(bare) }

    /// Alice has it, Bob's token names him, and the ledger lets her keep it, so that Bob is parked.
    func park() throws -> [OutgoingEvent] {
        try holdWeakly()
        _ = try group.verify(stated, Sample.byBob)
        _ = try group.answer(stated, buyer: Sample.bob, order: Sample.otherOrder)
        return try answerTransfer(stated, isTaken: false)
    }

    /// The ledger has taken it for Bob, or lets the holder keep it.
    func answerTransfer(
        _ signed: SignedTransaction,
        isTaken: Bool,
        from buyer: BuyerID = Sample.alice,
        transfer: Int = 1,
        cause: TransferCause = .evidence
    ) throws -> [OutgoingEvent] {
        try group.answerTransfer(signed, isTaken: isTaken, from: buyer, transfer: transfer, because: cause)
            .sent
    }

    func becomeHeld(_ signed: SignedTransaction) throws -> [OutgoingEvent] {
        try group.hold(signed, by: newHolder, attempt: 0, evidence: .token).sent
    }

    func claim() throws -> Claim { try group.record(castle).claim }

    /// An operator decides.
    func reassign(
        to buyer: BuyerID? = nil,
        isDryRun: Bool = false
    ) throws -> (outcome: RequestOutcome<ReassignmentV1>, sent: [OutgoingEvent]) {
        let request = ClaimReassignV1(
            purchaseId: PurchaseID(unchecked: "5"),
            environment: .production,
            buyerId: buyer,
            reason: "ticket 4711",
            decidedBy: OperatorID(unchecked: "o0123456789ab"),
            isDryRun: isDryRun
        )
        let partition = ReceiptsGroup.partition(of: castle)
        return try group.handle(request, in: partition) { message, context in
            try RequestOutcome<ReassignmentV1> { try OnClaimReassign()(message, in: context) }
        }
    }

    /// A period of a subscription, bought without a token.
    static func period(_ reason: String = "PURCHASE", expires: Int64 = 3_600_000) -> SignedTransaction {
        var period = signed("9", type: ProductType.autoRenewable)
        (period.transactionReason, period.webOrderLineItemId) = (reason, "77")
        period.expiresDate = Sample.start.milliseconds + expires
        return period
    }

    /// Bob names an order of his.
    static let naming = Sample.byBob.naming(Sample.otherOrder)

    /// A period of one chain, which bears its own line item.
    static func period(
        _ number: Int,
        _ reason: String,
        signed: Int64 = 0,
        token: String? = nil
    ) -> SignedTransaction {
        var period = Sample.transaction(
            "\(number)",
            original: "1",
            type: ProductType.autoRenewable,
            signed: signed,
            purchased: Int64(number) * 100,
            token: token
        )
        (period.transactionReason, period.webOrderLineItemId) = (reason, "\(number)")
        period.inAppOwnershipType = "PURCHASED"
        period.expiresDate = period.purchaseDate + 100_000
        return period
    }
}

extension ReceiptsGroup {
    /// Lets Orders say whom a token or an order names.
    func answer(
        _ signed: SignedTransaction,
        attempt: Int = 2,
        buyer: BuyerID?,
        order: OrderID? = nil
    ) throws -> [OutgoingEvent] {
        let facts = try #require(TransactionFacts(signed))
        let body = ChallengeAnsweredV1(facts, attempt: attempt, buyerId: buyer, orderId: order)
        return try handle(body, in: Self.partition(of: signed), OnChallengeAnswered().callAsFunction).sent
    }

    /// Lets the ledger answer that it has taken a purchase for another login, or lets its holder keep it.
    func answerTransfer(
        _ signed: SignedTransaction,
        isTaken: Bool = true,
        from holder: BuyerID = Sample.alice,
        to buyer: BuyerID = Sample.bob,
        transfer: Int = 1,
        because cause: TransferCause = .restore
    ) throws -> (outcome: Outcome, sent: [OutgoingEvent]) {
        let answer = TransferAnsweredV1(
            try #require(TransactionFacts(signed)),
            buyerId: holder,
            toBuyerId: buyer,
            transfer: transfer,
            isTaken: isTaken,
            cause: cause
        )
        return try handle(answer, in: Self.partition(of: signed), OnTransferAnswered().callAsFunction)
    }
}
