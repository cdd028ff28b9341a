/// The verdict on one transaction of a submission.
package struct TransactionVerdict: Codable, Hashable, Sendable, DirectlyCoded {
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    package var productId: ProductID
    package var quantity: Int
    package var environment: Environment
    package var orderId: OrderID? = nil
    package var verdict: Verdict
    /// Only when granted.
    package var grantedAt: Timestamp? = nil
    /// Only when the verdict needs an explanation.
    package var reason: String? = nil
}

extension TransactionVerdict {
    package init(
        _ facts: TransactionFacts,
        orderId: OrderID? = nil,
        verdict: Verdict,
        grantedAt: Timestamp? = nil,
        reason: String? = nil
    ) {
        self.init(
            transactionId: facts.transactionId,
            originalTransactionId: facts.originalTransactionId,
            productId: facts.productId,
            quantity: facts.quantity,
            environment: facts.environment,
            orderId: orderId,
            verdict: verdict,
            grantedAt: grantedAt,
            reason: reason
        )
    }
}
