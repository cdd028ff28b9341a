import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.claim.held.v1`: Orders answers a proposal of this store: whose the transaction is, for ever.
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
            return .parked(Claim.Refusal.unknownTransaction.reason)
        }
        let waiting = try store.waiters(record)
        context.keepAnswer(of: record)
        record.answered = ClaimRecord.Step(message, at: context.now)
        let holder = Claim.Holder(buyer: answer.buyerId, order: answer.orderId)
        var claim = ClaimWorkflow(record)
        return try claim.apply(.held(attempt: answer.attempt, by: holder, waiting: waiting), in: &context)
    }
}
