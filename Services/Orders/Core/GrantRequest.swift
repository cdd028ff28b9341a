import Contracts

extension GrantRequestedV1 {
    /// The goods of a paid order, under the key with which it was paid.
    init(_ order: Order, transaction: TransactionFacts, submission: Submission?) {
        let facts = transaction.paying(order)
        self.init(order.terms, for: order.buyerID, facts, submission?.named(transaction, facts))
    }

    /// Carries the terms of `order`, if it is the order of the claim.
    init(_ update: TransactionUpdatedV1, paying order: Order?) {
        let paid = order?.id == update.orderId ? order : nil
        let facts = paid.map(update.transaction.paying) ?? update.transaction
        self.init(
            paid?.terms ?? OrderTerms(orderId: update.orderId),
            for: update.buyerId,
            facts,
            update.submission?.named(update.transaction, facts)
        )
    }

    /// Passes the submission on only when the holder submitted it: Receipts finds the conflict of anyone else.
    private init(_ terms: OrderTerms, for holder: BuyerID, _ facts: TransactionFacts, _ all: Submission?) {
        let submission = all?.submitter == holder ? all : nil
        self.init(buyerId: holder, order: terms, transaction: facts, submission: submission)
    }
}
