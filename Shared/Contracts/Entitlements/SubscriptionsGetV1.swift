/// Reads the subscriptions of a buyer.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct SubscriptionsGetV1: RequestContract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.subscriptions.get.v1"
    package typealias Reply = SubscriptionsV1

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
}
