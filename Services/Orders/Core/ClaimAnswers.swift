package import Contracts

extension ClaimHeldV1 {
    /// The answer to `proposal`: the transaction pays `order`.
    package init(_ proposal: ClaimProposedV1, order: Order) {
        self.init(proposal.transaction, order: order, attempt: proposal.attempt)
    }

    /// `transaction` pays `order`.
    package init(_ transaction: TransactionFacts, order: Order, attempt: Int) {
        self.init(
            attempt: attempt,
            environment: transaction.environment,
            bundleId: transaction.bundleId,
            transactionId: transaction.transactionId,
            originalTransactionId: transaction.originalTransactionId,
            buyerId: order.buyerID,
            orderId: order.id
        )
    }
}

extension ClaimRefusedV1 {
    /// The answer to `proposal`: the candidate does not own the transaction.
    package init(_ proposal: ClaimProposedV1, reason: ClaimRefusal, registered: BuyerID?) {
        self.init(
            attempt: proposal.attempt,
            environment: proposal.transaction.environment,
            bundleId: proposal.transaction.bundleId,
            transactionId: proposal.transaction.transactionId,
            originalTransactionId: proposal.transaction.originalTransactionId,
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
