import Contracts
import Delivery

/// `counterfoil.claim.held.v1`: Orders answers a proposal with the holder of the transaction.
struct OnClaimHeld {
    func callAsFunction(_ message: Event<ClaimHeldV1>, in context: HandlerContext) throws -> Outcome {
        let answer = message.data
        let key = PurchaseKey(answer.environment, answer.bundleId, answer.purchaseId)
        let holder = Claim.Holder(
            buyer: answer.buyerId,
            order: answer.orderId,
            transferred: answer.transferred
        )
        return try ClaimWorkflow.answer(message, about: key, by: answer.evidence, in: context) { waiting in
            .held(attempt: answer.attempt, by: holder, waiting: waiting)
        }
    }
}
