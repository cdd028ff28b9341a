/// The transaction does not belong to the candidate; the next may be asked.
///
/// - Sent by: orders
/// - Received by: receipts
package struct ClaimRefusedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.refused.v1"

    package var attempt: Int
    package var environment: Environment
    package var bundleId: BundleID
    package var originalTransactionId: TransactionID
    package var purchaseId: PurchaseID
    package var reason: ClaimRefusal
    /// The registered buyer, when the reason is `registered`.
    package var buyerId: BuyerID?

    package init(_ transaction: TransactionFacts, attempt: Int, reason: ClaimRefusal, buyerId: BuyerID?) {
        self.attempt = attempt
        environment = transaction.environment
        bundleId = transaction.bundleId
        originalTransactionId = transaction.originalTransactionId
        purchaseId = transaction.purchaseId
        self.reason = reason
        self.buyerId = buyerId
    }
}
