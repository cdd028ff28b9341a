import Contracts
import Delivery
import Domain
import ReceiptsCore

/// `counterfoil.claim.redriven.v1`: Orders sends its claims again after a restore; an unknown purchase becomes held.
struct OnClaimRedriven {
    func callAsFunction(_ message: Event<ClaimRedrivenV1>, in context: inout HandlerContext) throws -> Outcome
    {
        var facts = message.data.transaction
        facts.purchaseId = try AliasStore(connection: context.connection).purchase(of: facts)
        let step = ClaimRecord.Step(message, at: context.now)
        let store = ClaimStore(connection: context.connection)
        var record = try store.record(PurchaseKey(facts)) ?? ClaimRecord(facts, step)
        let waiting = try store.waiters(record)
        if case .held = record.claim.state {
            context.record(message, of: facts.purchaseId.rawValue)
        } else {
            context.recordAnswer(of: record)
            record.answered = step
        }
        let holder = Claim.Holder(buyer: message.data.buyerId, order: message.data.orderId)
        var workflow = ClaimWorkflow(record, incoming: SignedTransaction(facts))
        return try workflow.apply(.redriven(ClaimFacts(facts), by: holder, waiting: waiting), in: &context)
    }
}
