import Contracts
import Delivery

/// `counterfoil.transfer.settled.v1`: the ledger has taken a purchase back from its holder, or lets the holder keep it.
struct OnTransferSettled {
    func callAsFunction(
        _ message: Event<TransferSettledV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let settled = message.data
        var facts = settled.transaction
        let store = ClaimStore(connection: context.connection)
        let known = try store.claim(naming: &facts)
        context.record(message, of: facts.purchaseId.rawValue)
        let record = known ?? ClaimRecord(facts, Trace.Entry(message, at: context.now))
        let answer = Claim.TransferAnswer(
            from: settled.buyerId,
            buyer: settled.toBuyerId,
            transfer: settled.transfer,
            isTaken: settled.isTaken
        )
        let waiting = try store.waiters(record)
        var workflow = ClaimWorkflow(record, incoming: SignedTransaction(facts))
        return try workflow.apply(.transferred(ClaimFacts(facts), answer, waiting: waiting), in: &context)
    }
}
