/// The transaction belongs to this buyer and pays this order, permanently, unless a restore moves it.
///
/// - Sent by: orders
/// - Received by: receipts
package struct ClaimHeldV1: Contract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.claim.held.v1"

    package var attempt: Int
    package var environment: Environment
    package var bundleId: BundleID
    package var originalTransactionId: TransactionID
    package var purchaseId: PurchaseID
    package var buyerId: BuyerID
    package var orderId: OrderID
    package var evidence: HolderEvidence
    /// Nil while the buyer is the one who paid.
    package var transferred: Transferred?

    package init(
        _ transaction: TransactionFacts,
        attempt: Int,
        buyerId: BuyerID,
        orderId: OrderID,
        evidence: HolderEvidence,
        transferred: Transferred? = nil
    ) {
        self.attempt = attempt
        environment = transaction.environment
        bundleId = transaction.bundleId
        originalTransactionId = transaction.originalTransactionId
        purchaseId = transaction.purchaseId
        self.buyerId = buyerId
        self.orderId = orderId
        self.evidence = evidence
        self.transferred = transferred
    }
}
