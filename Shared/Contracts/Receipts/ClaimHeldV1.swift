/// The transaction belongs to this buyer and pays this order, permanently.
///
/// - Sent by: orders
/// - Received by: receipts
package struct ClaimHeldV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.held.v1"

    package var attempt: Int
    package var environment: Environment
    package var bundleId: BundleID
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    package var purchaseId: PurchaseID
    package var buyerId: BuyerID
    package var orderId: OrderID

    package init(
        attempt: Int,
        environment: Environment,
        bundleId: BundleID,
        transactionId: TransactionID,
        originalTransactionId: TransactionID,
        purchaseId: PurchaseID,
        buyerId: BuyerID,
        orderId: OrderID
    ) {
        self.attempt = attempt
        self.environment = environment
        self.bundleId = bundleId
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.purchaseId = purchaseId
        self.buyerId = buyerId
        self.orderId = orderId
    }
}
