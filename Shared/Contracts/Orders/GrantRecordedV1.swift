/// The ledger has recorded what was reported of a purchase; the order may be completed.
///
/// - Sent by: entitlements
/// - Received by: orders
package struct GrantRecordedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.grant.recorded.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var orderId: OrderID
    package var purchaseId: PurchaseID
    package var outcome: GrantOutcome

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        orderId: OrderID,
        purchaseId: PurchaseID,
        outcome: GrantOutcome
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.orderId = orderId
        self.purchaseId = purchaseId
        self.outcome = outcome
    }
}

extension GrantRecordedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        orderId = try json.member("orderId", value?.orderId)
        purchaseId = try json.member("purchaseId", value?.purchaseId)
        outcome = try json.member("outcome", value?.outcome)
        try json.close()
    }
}
