/// One transaction of a submission and what became of it.
package struct TransactionVerdict: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    package var productId: ProductID
    package var quantity: Int
    package var environment: Environment
    package var orderId: OrderID?
    package var verdict: Verdict
    /// When the buyer's ledger got it; only where it is granted.
    package var grantedAt: Timestamp?
    /// Why, where there is more to say than the verdict.
    package var reason: String?

    package init(
        transactionId: TransactionID,
        originalTransactionId: TransactionID,
        productId: ProductID,
        quantity: Int,
        environment: Environment,
        orderId: OrderID? = nil,
        verdict: Verdict,
        grantedAt: Timestamp? = nil,
        reason: String? = nil
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.quantity = quantity
        self.environment = environment
        self.orderId = orderId
        self.verdict = verdict
        self.grantedAt = grantedAt
        self.reason = reason
    }

    /// The verdict on the transaction that `facts` describe.
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
