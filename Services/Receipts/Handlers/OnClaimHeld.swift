import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.claim.held.v1`: Orders answers a proposal with the permanent holder of the transaction.
struct OnClaimHeld {
    func callAsFunction(_ message: Event<ClaimHeldV1>, in context: inout HandlerContext) throws -> Outcome {
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
        let waiting = try store.waiters(record)
        context.recordAnswer(of: record)
        record.answered = ClaimRecord.Step(message, at: context.now)
        let holder = Claim.Holder(buyer: answer.buyerId, order: answer.orderId)
        var workflow = ClaimWorkflow(record)
        return try workflow.apply(.held(attempt: answer.attempt, by: holder, waiting: waiting), in: &context)
    }
}
