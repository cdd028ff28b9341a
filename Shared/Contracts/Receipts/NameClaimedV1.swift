/// A purchase claims a name in the name's own partition, before anybody is proposed for it.
///
/// Answered with `NameHeldV1`.
///
/// - Sent by: receipts (partition of the original transaction id)
/// - Received by: receipts (partition of the name)
package struct NameClaimedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.name.claimed.v1"

    package var environment: Environment
    package var bundleId: BundleID
    package var name: PurchaseName
    /// The chain and the purchase that claim it.
    package var originalTransactionId: TransactionID
    package var purchaseId: PurchaseID
}
