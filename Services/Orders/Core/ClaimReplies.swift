package import Contracts

extension ClaimHeldV1 {
    package init(_ transaction: TransactionFacts, order: Order, attempt: Int) {
        self.init(
            attempt: attempt,
            environment: transaction.environment,
            bundleId: transaction.bundleId,
            transactionId: transaction.transactionId,
            originalTransactionId: transaction.originalTransactionId,
            purchaseId: transaction.purchaseId,
            buyerId: order.buyerID,
            orderId: order.id
        )
    }
}

extension ClaimRedrivenV1 {
    package init(_ transaction: TransactionFacts, order: Order, attempt: Int) {
        self.init(attempt: attempt, transaction: transaction, buyerId: order.buyerID, orderId: order.id)
    }
}

extension ClaimRefusedV1 {
    package init(
        _ transaction: TransactionFacts,
        attempt: Int,
        reason: ClaimRefusal,
        registered: BuyerID? = nil
    ) {
        self.init(
            attempt: attempt,
            environment: transaction.environment,
            bundleId: transaction.bundleId,
            transactionId: transaction.transactionId,
            originalTransactionId: transaction.originalTransactionId,
            purchaseId: transaction.purchaseId,
            reason: reason,
            buyerId: registered
        )
    }
}

extension GrantRequestedV1 {
    package init(_ order: Order, transaction: TransactionFacts, submission: Submission?) {
        self.init(holder: order.buyerID, terms: order.terms, transaction: transaction, submission: submission)
    }

    package init(_ update: TransactionUpdatedV1, terms: OrderTerms) {
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
