import Contracts
import Delivery

/// The payments of orders: what a judgement stores of them, and what a transfer takes away.
struct Payments {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// The order that the transaction pays, stored as it is from now on; nil if the claim is refused.
    ///
    /// `isSubmitted` says whether a phone's proof made the claim; `attempt` is the answered proposal or
    /// `PaymentStore.attemptOfMove`, nil for an update.
    func store(
        _ judgement: ClaimJudgement,
        of facts: TransactionFacts,
        by evidence: HolderEvidence,
        isSubmitted: Bool,
        attempt: Int?,
        _ entry: Trace.Entry
    ) throws -> Order? {
        let payments = PaymentStore(connection: context.connection)
        switch judgement {
        case .repeated(let order):
            try payments.update(order, facts.paying(order), entry)
            return order
        case .paid(var order):
            order.evidence = evidence
            try payments.pay(order, with: facts, attempt: attempt, entry)
            return order
        case .onTheSpot(let buyer, let lost, let named, let limit):
            let order = Order(
                id: lost ?? MadeOrders(context).newID(of: buyer, in: facts.bundleId),
                buyerID: buyer,
                paidBy: facts,
                origin: OrderV1.Origin(of: facts, isSubmitted: isSubmitted, lost: lost),
                sandboxOf: named,
                limit: limit,
                by: evidence,
                at: context.now
            )
            try payments.addPaid(order, with: facts, attempt: attempt, entry)
            if lost == nil { MadeOrders(context).count(order) }
            return order
        case .refused:
            return nil
        }
    }

    /// Stores an order as it is without its purchase, unless that has come back by a later transfer.
    ///
    /// The first transfer of a purchase is 1; `entry` is the message that tells of it. The messages of the payment are
    /// recorded, because the row forgets them.
    func release(_ paid: Order, by transfer: Int, _ entry: Trace.Entry) throws {
        context.trace(entry, of: paid.id.rawValue)
        guard case .paid(let purchase, _) = paid.payment else { return }
        var order = paid
        switch try order.apply(.release(purchase.id, by: transfer), at: context.now) {
        case .repeated: return
        case .applied: break
        }
        for earlier in try OrdersTrace(connection: context.connection).payment(of: order.id) {
            context.trace(earlier, of: order.id.rawValue)
        }
        let dueAt = try PaymentStore(connection: context.connection).release(order, at: context.now)
        if let dueAt { context.scheduleWork(at: dueAt) }
    }
}
