import Contracts
import Delivery
import Domain

/// `counterfoil.claim.redriven.v1`: Orders sends its claims again after a restore; an unknown purchase becomes held.
struct OnClaimRedriven {
    func callAsFunction(_ message: Event<ClaimRedrivenV1>, in context: HandlerContext) throws -> Outcome {
        var facts = message.data.transaction
        let store = ClaimStore(connection: context.connection)
        let known = try store.claim(naming: &facts)
        let entry = Trace.Entry(message, at: context.now)
        let record = known ?? ClaimRecord(facts, entry)
        let waiting = try store.waiters(record)
        var workflow = ClaimWorkflow(record, incoming: SignedTransaction(facts), in: context)
        if case .held = record.claim.state {
            context.trace(message, of: facts.purchaseId.rawValue)
        } else {
            workflow.keep(entry)
        }
        let holder = Claim.Holder(
            buyer: message.data.buyerId,
            order: message.data.orderId,
            transferred: message.data.transferred
        )
        let event = Claim.Event.redriven(ClaimFacts(facts), by: holder, waiting: waiting)
        workflow.record.claim.note(message.data.evidence, of: event)
        let outcome = try workflow.apply(event)
        if outcome == .applied { try NameWorkflow.register(facts, in: context) }
        return outcome
    }
}
