/// Apple asks what the buyer of a purchase has used of it, because a refund is wanted.
///
/// - Sent by: receipts
/// - Received by: entitlements
package struct ConsumptionRequestedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.consumption.requested.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var purchaseId: PurchaseID
    /// The transaction that Apple names.
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        purchaseId: PurchaseID,
        transactionId: TransactionID,
        originalTransactionId: TransactionID
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.purchaseId = purchaseId
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
    }
}
