import Contracts
import Delivery

/// `counterfoil.claim.refused.v1`: the transaction is not the candidate's; the next one is asked.
struct OnClaimRefused {
    func callAsFunction(_ message: Event<ClaimRefusedV1>, in context: inout HandlerContext) throws -> Outcome
    {
        let answer = message.data
        let key = PurchaseKey(answer.environment, answer.bundleId, answer.purchaseId)
        return try ClaimWorkflow.answer(message, about: key, in: &context) { waiting in
            .refused(
                attempt: answer.attempt,
                reason: answer.reason,
                registered: answer.buyerId,
                waiting: waiting
            )
        }
    }
}
