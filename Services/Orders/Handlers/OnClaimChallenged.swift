import Contracts
import Delivery

/// `counterfoil.claim.challenged.v1`: Receipts asks whom a token or an order names for a purchase that is held.
struct OnClaimChallenged {
    /// Answers; pays and stores nothing.
    func callAsFunction(
        _ message: Event<ClaimChallengedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (candidate, facts) = (message.data.candidate, message.data.transaction)
        let evidence = try PaymentStore(connection: context.connection)
            .evidence(namedBy: candidate, for: facts)
        let judgement = ChallengeJudgement.judge(candidate, of: facts, evidence: evidence, at: context.now)
        context.trace(message, of: facts.purchaseId.rawValue)
        try context.send(
            ChallengeAnsweredV1(
                facts,
                attempt: message.data.attempt,
                buyerId: judgement.buyerID,
                orderId: judgement.orderID
            )
        )
        return .applied
    }
}
