import Contracts
import Database
import Delivery

/// The effects of a judged claim: a paid order, the reply to Receipts and the request to the ledger.
struct ClaimReply {
    let facts: TransactionFacts
    let attempt: Int
    let submission: Submission?
    /// What speaks for the holder if the claim is held by this judgement.
    let evidence: HolderEvidence
    /// Which transfer has brought the purchase to its holder; nil of a proposal.
    var transfer: Int?

    /// Stores the judgement and sends its messages.
    func write(_ judgement: ClaimJudgement, _ entry: Trace.Entry, in context: inout HandlerContext) throws {
        let stored = try context.store(
            judgement,
            of: facts,
            by: evidence,
            isSubmitted: submission != nil || transfer != nil,
            attempt: attempt,
            entry
        )
        switch judgement {
        case .repeated(let order): context.record(entry, of: order.id.rawValue)
        case .paid, .onTheSpot: break
        case .refused(let reason, let registered):
            context.record(entry, of: facts.purchaseId.rawValue)
            try context.send(ClaimRefusedV1(facts, attempt: attempt, reason: reason, buyerId: registered))
        }
        guard let paid = stored else { return }
        let order = try moved(paid, in: context)
        let held = ClaimHeldV1(
            facts,
            attempt: attempt,
            buyerId: order.holder,
            orderId: order.id,
            evidence: order.evidence ?? evidence,
            transferred: order.transferred
        )
        // Without a submission, a phone may have come since, and wait at the claim for this answer.
        try context.send(held, isUrgent: submission == nil)
        for grant in GrantRequestedV1.requests(order, transaction: facts, submission: submission) {
            try context.send(grant)
        }
    }

    /// The paid order, with the transfer that has brought the purchase to its buyer.
    private func moved(_ order: Order, in context: HandlerContext) throws -> Order {
        let transferred = transfer.map { Transferred(count: $0, payerId: order.buyerID) }
        guard let moved = order.moved(to: order.buyerID, transferred) else { return order }
        try PaymentStore(connection: context.connection).move(moved)
        return moved
    }
}

extension HandlerContext {
    /// The order that the transaction pays, stored as it is from now on; nil if the claim is refused.
    ///
    /// `isSubmitted` says whether a phone's proof made the claim; `attempt` is the answered proposal or
    /// `PaymentStore.attemptOfMove`, nil for an update.
    mutating func store(
        _ judgement: ClaimJudgement,
        of facts: TransactionFacts,
        by evidence: HolderEvidence,
        isSubmitted: Bool,
        attempt: Int?,
        _ entry: Trace.Entry
    ) throws -> Order? {
        let payments = PaymentStore(connection: connection)
        switch judgement {
        case .repeated(let order):
            try payments.update(order, facts.paying(order), entry)
            return order
        case .paid(var order):
            order.evidence = evidence
            try payments.pay(order, with: facts, attempt: attempt, entry)
            return order
        case .onTheSpot(let buyer, let lost, let named, let limit):
            let id = lost ?? newOrderID(of: buyer, in: facts.bundleId)
            let order = Order(
                id: id,
                buyerID: buyer,
                paidBy: facts,
                origin: OrderV1.Origin(of: facts, isSubmitted: isSubmitted, lost: lost),
                sandboxOf: named,
                limit: limit,
                by: evidence,
                at: now
            )
            try payments.addPaid(order, with: facts, attempt: attempt, entry)
            if lost == nil { count(order) }
            return order
        case .refused:
            return nil
        }
    }
}

extension HandlerContext {
    /// Counts a new order, if it has the millisecond of another buyer's before it.
    mutating func count(_ order: Order) {
        let made = MadeOrder(at: now, bundle: order.bundleID, buyer: order.buyerID)
        if made.shares(millisecondOf: lastOrder) { count(CountedRule.sameMillisecond.rawValue) }
        lastOrder = made
    }
}
