import Contracts
import Delivery
import OrdersCore

/// `counterfoil.claim.lookup.v1`: Receipts asks whether a transaction pays an order here already.
struct OnClaimLookup {
    /// Answers; a claim that is held is told as if it had been proposed once more.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func callAsFunction(_ message: Event<ClaimLookupV1>, in context: inout HandlerContext) throws -> Outcome {
        let sought = message.data
        let facts = sought.transaction
        let payer = try OrderStore(connection: context.connection).order(paidBy: facts)
        let question = ClaimQuestion(facts, attempt: sought.attempt, sought.submission)
        try question.answer(
            .judgeSought(ClaimEvidence(payer: payer)),
            Step(message, in: context),
            in: &context
        )
        return .applied
    }
}
