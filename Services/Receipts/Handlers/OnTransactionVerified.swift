import Contracts
import Delivery

/// `counterfoil.transaction.verified.v1`: a genuine transaction is applied to the claim of its purchase.
struct OnTransactionVerified {
    func callAsFunction(
        _ message: Event<TransactionVerifiedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let signed = message.data.transaction
        guard var facts = TransactionFacts(signed) else { return .parked(ProofFailure.unreadable.rawValue) }
        let known = try ClaimStore(connection: context.connection).claim(naming: &facts)
        if known != nil { context.record(message, of: facts.purchaseId.rawValue) }
        let record = known ?? ClaimRecord(facts, Trace.Entry(message, at: context.now))
        var workflow = ClaimWorkflow(record, incoming: signed)
        return try workflow.apply(.verified(facts, message.data.submission), in: &context)
    }
}
