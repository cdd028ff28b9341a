import Contracts
import Delivery
import OrdersCore

/// `counterfoil.transaction.restated.v1`: a held transaction was submitted again, or Apple said something new of it.
struct OnTransactionRestated {
    /// Passes the facts on to the ledger, always; and learns the payment, should this store have forgotten it.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func callAsFunction(
        _ message: Event<TransactionRestatedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let restated = message.data
        let facts = restated.transaction
        let payments = PaymentStore(connection: context.connection)
        let step = Step(message, in: context)
        let evidence = try payments.evidence(for: .order(restated.orderId), of: facts)
        context.record(message, of: restated.orderId.rawValue)
        let restatement = Restatement.judge(restated, evidence: evidence, at: context.now)
        switch restatement {
        case .known(let order): try payments.restate(order, facts, step)
        case .pay(let order): try payments.pay(order, with: facts, attempt: nil, step)
        case .adopt(let order): try payments.addPaid(order, with: facts, attempt: nil, step)
        case .contradicted: break
        }
        let grant = GrantRequestedV1(
            holder: restated.buyerId,
            terms: restatement.terms(for: restated),
            transaction: facts,
            submission: restated.submission
        )
        try context.send(grant)
        return .applied
    }
}
