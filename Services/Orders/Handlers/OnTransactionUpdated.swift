import Contracts
import Delivery

/// `counterfoil.transaction.updated.v1`: a held transaction was submitted again, or Apple signed newer facts of it.
struct OnTransactionUpdated {
    /// Always passes the facts on to the ledger; records the payment if this store has lost it, and a new holder.
    ///
    /// If the purchase pays another order here, because the claim's was lost, the claim is told.
    func callAsFunction(
        _ message: Event<TransactionUpdatedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let (update, facts) = (message.data, message.data.transaction)
        let evidence = try PaymentStore(connection: context.connection)
            .evidence(for: update)
        let judgement = ClaimJudgement.judge(update, evidence: evidence, at: context.now)
        let entry = Trace.Entry(message, at: context.now)
        context.record(entry, of: update.orderId.rawValue)
        let isSubmitted = update.isSubmitted == true
        let order = try context.store(
            judgement,
            of: facts,
            by: .known,
            isSubmitted: isSubmitted,
            attempt: nil,
            entry
        )
        if let moved = order?.moved(to: update.buyerId, update.transferred) {
            try PaymentStore(connection: context.connection).move(moved)
        }
        if let order, order.id != update.orderId {
            try context.send(
                ClaimHeldV1(
                    facts,
                    attempt: 0,
                    buyerId: order.holder,
                    orderId: order.id,
                    evidence: order.evidence ?? .known,
                    transferred: order.transferred
                )
            )
        }
        for grant in GrantRequestedV1.requests(update, paying: order) { try context.send(grant) }
        return .applied
    }
}
