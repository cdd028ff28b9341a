import Contracts

extension GrantRequestedV1 {
    init(_ order: Order, transaction: TransactionFacts, submission: Submission?) {
        self.init(order.terms, for: order.buyerID, transaction, submission)
    }

    /// Carries the terms of `order`, if it is the order of the claim.
    init(_ update: TransactionUpdatedV1, paying order: Order?) {
        let terms = order?.id == update.orderId ? order?.terms : nil
        self.init(
            terms ?? OrderTerms(orderId: update.orderId),
            for: update.buyerId,
            update.transaction,
            update.submission
        )
    }

    /// Passes the submission on only when the holder submitted it: Receipts finds the conflict of anyone else.
    private init(_ terms: OrderTerms, for holder: BuyerID, _ facts: TransactionFacts, _ all: Submission?) {
        let submission = all?.submitter == holder ? all : nil
        self.init(buyerId: holder, order: terms, transaction: facts, submission: submission)
    }
}
