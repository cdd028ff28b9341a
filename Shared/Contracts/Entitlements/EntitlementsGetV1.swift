/// Asks what a buyer holds.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct EntitlementsGetV1: RequestContract, Hashable {
    package typealias Reply = EntitlementsV1

    package static let type: EventType = "counterfoil.entitlements.get.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment

    package init(bundleId: BundleID, buyerId: BuyerID, environment: Environment) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
    }
}
