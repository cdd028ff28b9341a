import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.claim.refused.v1`: the transaction is not the candidate's; the next one is asked.
struct OnClaimRefused {
    func callAsFunction(_ message: Event<ClaimRefusedV1>, in context: inout HandlerContext) throws -> Outcome
    {
        let answer = message.data
        let key = PurchaseKey(
            environment: answer.environment,
            bundleID: answer.bundleId,
            purchaseID: answer.purchaseId
        )
        let store = ClaimStore(connection: context.connection)
        guard var record = try store.record(key) else {
            return .parked(Claim.Refusal.unknownTransaction.rawValue)
        }
        let waiting = try store.waiters(record).first
        context.recordAnswer(of: record)
        record.answered = ClaimRecord.Step(message, at: context.now)
        let event = Claim.Event.refused(
            attempt: answer.attempt,
            reason: answer.reason,
            registered: answer.buyerId,
            waiting: waiting
        )
        var workflow = ClaimWorkflow(record)
        return try workflow.apply(event, in: &context)
    }
}
