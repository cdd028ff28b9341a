/// An entitlement has ended by itself: a subscription was not renewed, or the days that were bought are over.
///
/// - Sent by: entitlements
/// - Received by: notifications; and as webhook, the app's own server
package struct EntitlementExpiredV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.entitlement.expired.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var entitlement: String
    package var productId: ProductID
    package var expiredAt: Timestamp

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        entitlement: String,
        productId: ProductID,
        expiredAt: Timestamp
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.entitlement = entitlement
        self.productId = productId
        self.expiredAt = expiredAt
    }
}
