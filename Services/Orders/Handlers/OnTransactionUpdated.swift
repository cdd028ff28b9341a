import Contracts
import Delivery

/// `counterfoil.transaction.updated.v1`: a held transaction was submitted again, or Apple signed newer facts of it.
struct OnTransactionUpdated {
    /// Always passes the facts on to the ledger; records the payment if this store has lost it.
    func callAsFunction(
        _ message: Event<TransactionUpdatedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let (update, facts) = (message.data, message.data.transaction)
        let payments = PaymentStore(connection: context.connection)
        let evidence = try payments.evidence(for: .order(update.orderId), of: facts)
        let judgement = UpdateJudgement.judge(update, evidence: evidence, at: context.now)
        let entry = Trace.Entry(message, at: context.now)
        context.record(entry, of: update.orderId.rawValue)
        switch judgement {
        case .known(let order): try payments.update(order, facts, entry)
        case .pay(let order): try payments.pay(order, with: facts, attempt: nil, entry)
        case .adopt(let order): try payments.addPaid(order, with: facts, attempt: nil, entry)
        case .contradicted: break
        }
        try context.send(GrantRequestedV1(update, terms: judgement.terms(for: update)))
        return .applied
    }
}
