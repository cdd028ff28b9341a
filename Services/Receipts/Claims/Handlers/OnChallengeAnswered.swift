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
        let store = ClaimStore(connection: context.connection)
        guard let record = try store.record(key) else {
            return .deadLettered(Claim.Refusal.unknownTransaction.rawValue)
        }
        context.trace(message, of: answer.purchaseId.rawValue)
        var workflow = ClaimWorkflow(record, in: context)
        let event = Claim.Event.answered(
            attempt: answer.attempt,
            buyer: answer.buyerId,
            order: answer.orderId,
            waiting: try store.waiters(record)
        )
        return try workflow.apply(event)
    }
}
