import Contracts
import Delivery

/// `counterfoil.transfer.settled.v1`: the ledger has taken a purchase back from its holder, or lets the holder keep it.
struct OnTransferSettled {
    func callAsFunction(
        _ message: Event<TransferSettledV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let settled = message.data
        let store = ClaimStore(connection: context.connection)
        let key = PurchaseKey(settled.environment, settled.bundleId, settled.purchaseId)
        guard let record = try store.record(key) else {
            return .parked(Claim.Refusal.unknownTransaction.rawValue)
        }
        context.record(message, of: settled.purchaseId.rawValue)
        let answer = Claim.TransferAnswer(
            buyer: settled.toBuyerId,
            transfer: settled.transfer,
            isTaken: settled.isTaken
        )
        var workflow = ClaimWorkflow(record)
        return try workflow.apply(.transferred(answer, waiting: try store.waiters(record)), in: &context)
    }
}
