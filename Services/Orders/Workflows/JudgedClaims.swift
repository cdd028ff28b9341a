import Contracts
import Delivery

/// The effects of a judged claim: a paid order, the reply to Receipts and the report to the ledger.
struct JudgedClaims {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Stores the judgement and sends its messages.
    ///
    /// `evidence` is what speaks for the holder if the claim is held by this judgement; `transfer` is the one that has
    /// brought the purchase to its holder, nil of a proposal.
    func write(
        _ judgement: ClaimJudgement,
        of facts: TransactionFacts,
        by evidence: HolderEvidence,
        attempt: Int,
        submission: Submission?,
        transfer: Int? = nil,
        _ entry: Trace.Entry
    ) throws {
        let stored = try Payments(context).store(
            judgement,
            of: facts,
            by: evidence,
            isSubmitted: submission != nil || transfer != nil,
            attempt: attempt,
            entry
        )
        switch judgement {
        case .repeated(let order): context.trace(entry, of: order.id.rawValue)
        case .paid, .onTheSpot: break
        case .refused(let reason, let registered):
            context.trace(entry, of: facts.purchaseId.rawValue)
            try context.send(ClaimRefusedV1(facts, attempt: attempt, reason: reason, buyerId: registered))
        }
        guard let paid = stored else { return }
        let order = try moved(paid, by: transfer)
        // Without a submission, a phone may have come since, and wait at the claim for this answer.
        try context.send(
            ClaimHeldV1(facts, attempt: attempt, by: order, evidence),
            isUrgent: submission == nil
        )
        for report in PurchaseReportedV1.reports(order, transaction: facts, submission: submission) {
            try context.send(report)
        }
    }

    /// The paid order, with the transfer that has brought the purchase to its buyer.
    private func moved(_ order: Order, by transfer: Int?) throws -> Order {
        let transferred = transfer.map { Transferred(count: $0, payerId: order.buyerID) }
        guard let moved = order.moved(to: order.buyerID, transferred) else { return order }
        try PaymentStore(connection: context.connection).move(moved)
        return moved
    }
}
