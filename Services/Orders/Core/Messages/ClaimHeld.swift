import Contracts

extension ClaimHeldV1 {
    /// Says that the transaction pays `order`, by this evidence unless the order has its own.
    init(_ facts: TransactionFacts, attempt: Int, by order: Order, _ evidence: HolderEvidence) {
        self.init(
            facts,
            attempt: attempt,
            buyerId: order.holder,
            orderId: order.id,
            evidence: order.evidence ?? evidence,
            transferred: order.transferred
        )
    }
}
