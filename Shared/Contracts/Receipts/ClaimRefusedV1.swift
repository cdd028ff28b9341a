/// The transaction does not belong to the candidate; the next may be asked.
///
/// - Sent by: orders
/// - Received by: receipts
package struct ClaimRefusedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.refused.v1"

    package var attempt: Int
    package var environment: Environment
    package var bundleId: BundleID
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    package var purchaseId: PurchaseID
    package var reason: ClaimRefusal
    /// The registered buyer, when the reason is `registered`.
    package var buyerId: BuyerID?

    package init(
        attempt: Int,
        environment: Environment,
        bundleId: BundleID,
        transactionId: TransactionID,
        originalTransactionId: TransactionID,
        purchaseId: PurchaseID,
        reason: ClaimRefusal,
        buyerId: BuyerID? = nil
    ) {
        self.attempt = attempt
        self.environment = environment
        self.bundleId = bundleId
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.purchaseId = purchaseId
        self.reason = reason
        self.buyerId = buyerId
    }
}
