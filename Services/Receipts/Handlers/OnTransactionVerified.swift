import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.transaction.verified.v1`: a genuine transaction meets the claim of its purchase.
struct OnTransactionVerified {
    func callAsFunction(
        _ message: Event<TransactionVerifiedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let signed = message.data.transaction
        guard var facts = TransactionFacts(signed) else { return .parked(ProofFailure.unreadable.rawValue) }
        facts.purchaseId = try AliasStore(connection: context.connection).purchase(of: facts)
        let known = try ClaimStore(connection: context.connection).record(PurchaseKey(facts))
        if known != nil { context.record(message, of: facts.purchaseId.rawValue) }
        let record = known ?? ClaimRecord(facts, ClaimRecord.Step(message, at: context.now))
        // The id of a transaction is named where it is not that of its purchase.
        var submission = message.data.submission
        let isPurchase = PurchaseID(facts.transactionId) == facts.purchaseId
        submission?.transactionId = isPurchase ? nil : facts.transactionId
        var workflow = ClaimWorkflow(record, incoming: signed)
        return try workflow.apply(.verified(ClaimFacts(facts), submission), in: &context)
    }
}
