import Contracts
import Delivery

/// `counterfoil.challenge.answered.v1`: Orders says whom a token or an order names, about a purchase that is held.
struct OnChallengeAnswered {
    func callAsFunction(
        _ message: Event<ChallengeAnsweredV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let answer = message.data
        let key = PurchaseKey(answer.environment, answer.bundleId, answer.purchaseId)
        return try ClaimWorkflow.answer(message, about: key, isKept: false, in: context) { waiting in
            .answered(
                attempt: answer.attempt,
                buyer: answer.buyerId,
                order: answer.orderId,
                waiting: waiting
            )
        }
    }
}
