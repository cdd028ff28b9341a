import Contracts
import Delivery

/// `counterfoil.claim.refused.v1`: it is not the candidate's; the next one is asked, or the chain that has its name.
struct OnClaimRefused {
    func callAsFunction(_ message: Event<ClaimRefusedV1>, in context: HandlerContext) throws -> Outcome {
        let answer = message.data
        let key = PurchaseKey(answer.environment, answer.bundleId, answer.purchaseId)
        if try NameWorkflow.leave(key, refused: answer.attempt, in: context) {
            context.trace(message, of: answer.purchaseId.rawValue)
            return .applied
        }
        return try ClaimWorkflow.answer(message, about: key, in: context) { waiting in
            .refused(
                attempt: answer.attempt,
                reason: answer.reason,
                registered: answer.buyerId,
                waiting: waiting
            )
        }
    }
}
