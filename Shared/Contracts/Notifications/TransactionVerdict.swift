/// The verdict on one transaction of a submission.
package struct TransactionVerdict: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    package var productId: ProductID
    package var quantity: Int
    package var environment: Environment
    package var orderId: OrderID?
    package var verdict: Verdict
    /// Only when granted.
    package var grantedAt: Timestamp?
    /// Only when the verdict needs an explanation.
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

extension TransactionVerdict: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transactionId = try json.member("transactionId", value?.transactionId)
        originalTransactionId = try json.member("originalTransactionId", value?.originalTransactionId)
        productId = try json.member("productId", value?.productId)
        quantity = try json.member("quantity", value?.quantity)
        environment = try json.member("environment", value?.environment)
        orderId = try json.optional("orderId", value?.orderId)
        verdict = try json.member("verdict", value?.verdict)
        grantedAt = try json.optional("grantedAt", value?.grantedAt)
        reason = try json.optional("reason", value?.reason)
        try json.close()
    }
}
