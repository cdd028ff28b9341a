import Contracts

extension PurchaseReportedV1 {
    /// The goods of a paid order, under the key with which it was paid.
    ///
    /// Of a purchase that has moved the buyer who paid keeps the amounts, and the holder has the rest: both ledgers
    /// hear of it, first the one that it came from.
    static func reports(
        _ order: Order,
        transaction: TransactionFacts,
        submission: Submission?
    ) -> [PurchaseReportedV1] {
        let facts = transaction.paying(order)
        var report = PurchaseReportedV1(
            order.terms,
            for: order.holder,
            facts,
            submission?.named(transaction, facts)
        )
        report.evidence = order.evidence
        return report.afterTransfer(order.transferred)
    }

    /// Carries the terms of `order`, which the purchase pays.
    static func reports(_ update: TransactionUpdatedV1, paying order: Order?) -> [PurchaseReportedV1] {
        let facts = order.map(update.transaction.paying) ?? update.transaction
        var report = PurchaseReportedV1(
            order?.terms ?? OrderTerms(orderId: update.orderId),
            for: update.buyerId,
            facts,
            update.submission?.named(update.transaction, facts)
        )
        report.evidence = order?.evidence
        return report.afterTransfer(update.transferred)
    }

    private func afterTransfer(_ transferred: Transferred?) -> [PurchaseReportedV1] {
        guard let transferred else { return [self] }
        var (payers, holders) = (self, self)
        (payers.buyerId, payers.submission) = (transferred.payerId, nil)
        holders.transfers = transferred.count
        return [payers, holders]
    }

    /// Passes the submission on only when the holder submitted it: Receipts finds the conflict of anyone else.
    private init(_ terms: OrderTerms, for holder: BuyerID, _ facts: TransactionFacts, _ all: Submission?) {
        let submission = all?.submitter == holder ? all : nil
        self.init(buyerId: holder, order: terms, transaction: facts, submission: submission)
    }
}
