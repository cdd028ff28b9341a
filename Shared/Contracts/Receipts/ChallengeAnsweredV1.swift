/// Whom a candidate names, about a purchase that is held.
///
/// - Sent by: orders
/// - Received by: receipts
package struct ChallengeAnsweredV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.challenge.answered.v1"

    package var attempt: Int
    package var environment: Environment
    package var bundleId: BundleID
    package var originalTransactionId: TransactionID
    package var purchaseId: PurchaseID
    /// Nil where the candidate names nobody for this purchase.
    package var buyerId: BuyerID?
    /// The buyer's order that the purchase can pay; nil where it would get one on the spot.
    package var orderId: OrderID?

    package init(
        _ transaction: TransactionFacts,
        attempt: Int,
        buyerId: BuyerID? = nil,
        orderId: OrderID? = nil
    ) {
        self.attempt = attempt
        environment = transaction.environment
        bundleId = transaction.bundleId
        originalTransactionId = transaction.originalTransactionId
        purchaseId = transaction.purchaseId
        self.buyerId = buyerId
        self.orderId = orderId
    }
}
