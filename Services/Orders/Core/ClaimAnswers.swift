package import Contracts

extension ClaimHeldV1 {
    /// `transaction` pays `order`.
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
    /// `transaction` pays `order`, as was answered to `attempt`.
    package init(_ transaction: TransactionFacts, order: Order, attempt: Int) {
        self.init(attempt: attempt, transaction: transaction, buyerId: order.buyerID, orderId: order.id)
    }
}

extension ClaimRefusedV1 {
    /// The candidate of `attempt` does not own `transaction`.
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
    /// Asks the ledger to follow `transaction` for `buyer`.
    ///
    /// The submission is passed on only when the buyer submitted it: the ledger speaks to the holder alone, and
    /// everyone else's verdict is the conflict that Receipts finds.
    package init(
        holder buyer: BuyerID,
        terms: OrderTerms,
        transaction: TransactionFacts,
        submission: Submission?
    ) {
        self.init(
            buyerId: buyer,
            order: terms,
            transaction: transaction,
            submission: submission?.submitter == buyer ? submission : nil
        )
    }
}
