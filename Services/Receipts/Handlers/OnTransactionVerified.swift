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
        let step = ClaimRecord.Step(message, at: context.now)
        let store = ClaimStore(connection: context.connection)
        let known = try store.record(PurchaseKey(facts))
        if known != nil { context.record(message, of: facts.purchaseId.rawValue) }
        var claim = ClaimRoad(known ?? ClaimRecord(facts, step), heard: signed)
        var submission = message.data.submission
        submission?.transactionId = facts.nameOfItsOwn
        return try claim.apply(.verified(Statement(facts), submission), in: &context)
    }
}

extension TransactionFacts {
    /// The transaction's id where it is not that of its purchase.
    fileprivate var nameOfItsOwn: TransactionID? {
        PurchaseID(transactionId) == purchaseId ? nil : transactionId
    }
}
