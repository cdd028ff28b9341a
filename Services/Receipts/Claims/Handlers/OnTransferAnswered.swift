import Contracts
import Delivery

/// `counterfoil.transfer.answered.v1`: the ledger has taken a purchase back from its holder, or lets it stay.
struct OnTransferAnswered {
    func callAsFunction(
        _ message: Event<TransferAnsweredV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let answered = message.data
        var facts = answered.transaction
        let store = ClaimStore(connection: context.connection)
        // What was not taken back makes no purchase known.
        let known =
            try answered.isTaken ? store.claim(naming: &facts) : store.record(named: PurchaseKey(facts))
        let record = known ?? ClaimRecord(facts, Trace.Entry(message, at: context.now))
        if known != nil || answered.isTaken { context.trace(message, of: record.key.purchaseID.rawValue) }
        let answer = Claim.TransferAnswer(
            from: answered.buyerId,
            buyer: answered.toBuyerId,
            transfer: answered.transfer,
            isTaken: answered.isTaken,
            cause: answered.cause
        )
        let waiting = try store.waiters(record)
        var workflow = ClaimWorkflow(record, incoming: SignedTransaction(facts), in: context)
        return try workflow.apply(.transferred(ClaimFacts(facts), answer, waiting: waiting))
    }
}
