/// To which chain a name belongs: that of the purchase that claimed it first.
///
/// - Sent by: receipts (partition of the name)
/// - Received by: receipts (partition of the original transaction id)
package struct NameHeldV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.name.held.v1"

    package var environment: Environment
    package var bundleId: BundleID
    package var name: PurchaseName
    /// The chain and the purchase that have claimed it.
    package var originalTransactionId: TransactionID
    package var purchaseId: PurchaseID
    /// The original transaction id of the chain that has it.
    package var homeId: TransactionID

    package init(_ claimed: NameClaimedV1, homeId: TransactionID) {
        environment = claimed.environment
        bundleId = claimed.bundleId
        name = claimed.name
        originalTransactionId = claimed.originalTransactionId
        purchaseId = claimed.purchaseId
        self.homeId = homeId
    }
}
