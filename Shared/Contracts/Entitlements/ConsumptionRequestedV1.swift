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
}
