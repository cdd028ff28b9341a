import Contracts
import Delivery

/// `counterfoil.transfer.settled.v1`: the ledger has taken a purchase back from its holder, or lets the holder keep it.
struct OnTransferSettled {
    func callAsFunction(
        _ message: Event<TransferSettledV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let settled = message.data
        var facts = settled.transaction
        let store = ClaimStore(connection: context.connection)
        // What was not taken back makes no purchase known.
        let known =
            try settled.isTaken ? store.claim(naming: &facts) : store.record(named: PurchaseKey(facts))
        let record = known ?? ClaimRecord(facts, Trace.Entry(message, at: context.now))
        if known != nil || settled.isTaken { context.record(message, of: record.key.purchaseID.rawValue) }
        let answer = Claim.TransferAnswer(
            from: settled.buyerId,
            buyer: settled.toBuyerId,
            transfer: settled.transfer,
            isTaken: settled.isTaken,
            cause: settled.cause
        )
        let waiting = try store.waiters(record)
        var workflow = ClaimWorkflow(record, incoming: SignedTransaction(facts), in: context)
        return try workflow.apply(.transferred(ClaimFacts(facts), answer, waiting: waiting))
    }
}
