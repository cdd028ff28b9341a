import Contracts

extension GrantRecordedV1 {
    /// What has become of the grant for an order.
    init(_ grant: Grant, of facts: TransactionFacts, for order: OrderTerms) {
        self.init(
            bundleId: facts.bundleId,
            buyerId: grant.buyerId,
            orderId: order.orderId,
            purchaseId: facts.purchaseId,
            outcome: GrantResult(grant).outcome
        )
    }
}
