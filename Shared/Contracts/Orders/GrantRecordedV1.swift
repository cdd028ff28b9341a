/// The ledger has recorded what was reported of a purchase; the order may be completed.
///
/// - Sent by: entitlements
/// - Received by: orders
package struct GrantRecordedV1: Contract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.grant.recorded.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var orderId: OrderID
    package var purchaseId: PurchaseID
    package var outcome: GrantOutcome
}
