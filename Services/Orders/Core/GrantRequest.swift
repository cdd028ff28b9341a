import Contracts

extension GrantRequestedV1 {
    init(_ order: Order, transaction: TransactionFacts, submission: Submission?) {
        self.init(holder: order.buyerID, terms: order.terms, transaction: transaction, submission: submission)
    }

    init(_ update: TransactionUpdatedV1, terms: OrderTerms) {
        self.init(
            holder: update.buyerId,
            terms: terms,
            transaction: update.transaction,
            submission: update.submission
        )
    }

    /// Passes the submission on only when the holder submitted it: Receipts finds the conflict of anyone else.
    private init(
        holder: BuyerID,
        terms: OrderTerms,
        transaction: TransactionFacts,
        submission: Submission?
    ) {
        self.init(
            buyerId: holder,
            order: terms,
            transaction: transaction,
            submission: submission?.submitter == holder ? submission : nil
        )
    }
}
