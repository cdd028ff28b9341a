import Contracts
import Delivery

/// `counterfoil.transaction.updated.v1`: a held transaction was submitted again, or Apple signed newer facts of it.
struct OnTransactionUpdated {
    /// Passes the facts on to the ledger; records the payment if this store has lost it, and a new holder.
    ///
    /// What was sent before the order lost the purchase to another buyer does nothing: that buyer has newer facts. If
    /// the purchase pays another order here, because the claim's was lost, the claim is told.
    func callAsFunction(
        _ message: Event<TransactionUpdatedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (update, facts) = (message.data, message.data.transaction)
        let entry = Trace.Entry(message, at: context.now)
        try release(update, entry, in: context)
        let evidence = try PaymentStore(connection: context.connection).evidence(for: update)
        let judgement = ClaimJudgement.judge(update, evidence: evidence, at: context.now)
        context.trace(entry, of: update.orderId.rawValue)
        guard evidence.named?.hasLost(update) != true else { return .applied }
        let order = try Payments(context).store(
            judgement,
            of: facts,
            by: update.evidence ?? .known,
            isSubmitted: update.isSubmitted == true,
            attempt: nil,
            entry
        )
        if let moved = order?.moved(to: update.buyerId, update.transferred) {
            try PaymentStore(connection: context.connection).move(moved)
        }
        if let order, order.id != update.orderId {
            try context.send(ClaimHeldV1(facts, attempt: 0, by: order, .known))
        }
        for report in PurchaseReportedV1.reports(update, paying: order) { try context.send(report) }
        return .applied
    }

    /// Takes the purchase from an order that has lost it since this store was copied: its payer is another one now.
    private func release(
        _ update: TransactionUpdatedV1,
        _ entry: Trace.Entry,
        in context: HandlerContext
    ) throws {
        guard let moved = update.transferred,
            let paid = try OrderStore(connection: context.connection).order(paidBy: update.transaction),
            paid.buyerID != moved.payerId, paid.move?.transfers ?? 0 < moved.count
        else { return }
        try Payments(context).release(paid, by: moved.count, entry)
    }
}
