import Contracts
import Delivery
import OrdersCore

/// `counterfoil.claim.sought.v1`: Receipts asks whether a transaction pays an order here already.
struct OnClaimSought {
    /// Answers; a claim that is held is told as if it had been proposed once more.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func callAsFunction(_ message: Event<ClaimSoughtV1>, in transaction: inout Transaction) throws -> Outcome
    {
        let sought = message.data
        let facts = sought.transaction
        let payer = try OrderStore(connection: transaction.connection).order(paidBy: facts)
        let question = ClaimQuestion(facts, attempt: sought.attempt, sought.submission)
        try question.answer(
            .judgeSought(ClaimEvidence(payer: payer)),
            Step(message, in: transaction),
            in: &transaction
        )
        return .applied
    }
}
