import Contracts
import Database
import Delivery

/// The effects of a judged claim: a paid order, the reply to Receipts and a request to the ledger.
struct ClaimReply {
    let facts: TransactionFacts
    let attempt: Int
    let submission: Submission?

    /// Stores the judgement and sends its messages.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func write(_ judgement: ClaimJudgement, _ entry: Trace.Entry, in context: inout HandlerContext) throws {
        let payments = PaymentStore(connection: context.connection)
        switch judgement {
        case .repeated(let order):
            try payments.update(order, facts, entry)
            context.record(entry, of: order.id.rawValue)
            try sendHeld(order, in: &context)
        case .paid(let order):
            try payments.pay(order, with: facts, attempt: attempt, entry)
            try sendHeld(order, in: &context)
        case .onTheSpot(let buyer):
            let id = context.newOrderID(of: buyer, in: facts.bundleId)
            let order = Order(id: id, buyerID: buyer, paidBy: facts, at: context.now)
            try payments.addPaid(order, with: facts, attempt: attempt, entry)
            try sendHeld(order, in: &context)
        case .refused(let reason, let registered):
            context.record(entry, of: facts.purchaseId.rawValue)
            try context.send(ClaimRefusedV1(facts, attempt: attempt, reason: reason, buyerId: registered))
        }
    }

    private func sendHeld(_ order: Order, in context: inout HandlerContext) throws {
        let held = ClaimHeldV1(facts, attempt: attempt, buyerId: order.buyerID, orderId: order.id)
        try context.send(held)
        try context.send(GrantRequestedV1(order, transaction: facts, submission: submission))
    }
}
