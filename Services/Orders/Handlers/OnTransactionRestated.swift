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
        in transaction: inout Transaction
    ) throws -> Outcome {
        let restated = message.data
        let facts = restated.transaction
        let payments = PaymentStore(connection: transaction.connection)
        let step = Step(message, in: transaction)
        let evidence = try payments.evidence(for: .order(restated.orderId), of: facts)
        transaction.keep(message, of: restated.orderId.rawValue)
        let restatement = Restatement.judge(restated, evidence: evidence, at: transaction.now)
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
        try transaction.request(grant)
        return .applied
    }
}
