import Contracts
import Delivery
import OrdersCore

/// What Receipts asks about a transaction, and how it is answered: a paid order, a word to Receipts and a request to the
/// ledger in one transaction.
struct ClaimQuestion {
    private let facts: TransactionFacts
    private let attempt: Int
    private let submission: Submission?

    init(_ facts: TransactionFacts, attempt: Int, _ submission: Submission?) {
        self.facts = facts
        self.attempt = attempt
        self.submission = submission
    }

    /// Carries out a judgement and tells it.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func answer(_ judgement: ClaimJudgement, _ step: Step, in context: inout HandlerContext) throws {
        let payments = PaymentStore(connection: context.connection)
        switch judgement {
        case .repeated(let order):
            try payments.restate(order, facts, step)
            context.record(step.entry, of: order.id.rawValue)
            try announce(order, in: &context)
        case .paid(let order):
            try payments.pay(order, with: facts, attempt: attempt, step)
            try announce(order, in: &context)
        case .onTheSpot(let buyer):
            let id = context.newOrderID(of: buyer, in: facts.bundleId)
            let order = Order(id: id, buyerID: buyer, paidBy: facts, at: context.now)
            try payments.addPaid(order, with: facts, attempt: attempt, step)
            try announce(order, in: &context)
        case .refused(let reason, let registered):
            context.record(step.entry, of: facts.purchaseId.rawValue)
            let refusal = ClaimRefusedV1(facts, attempt: attempt, reason: reason, registered: registered)
            try context.send(refusal)
        }
    }

    private func announce(_ order: Order, in context: inout HandlerContext) throws {
        try context.send(ClaimHeldV1(facts, order: order, attempt: attempt))
        let grant = GrantRequestedV1(
            holder: order.buyerID,
            terms: order.terms,
            transaction: facts,
            submission: submission
        )
        try context.send(grant)
    }
}
