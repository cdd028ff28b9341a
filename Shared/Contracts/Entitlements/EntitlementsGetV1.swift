/// Asks what a buyer holds.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct EntitlementsGetV1: RequestContract, Hashable, DirectlyCoded {
    package typealias Reply = EntitlementsV1

    package static let type: EventType = "counterfoil.entitlements.get.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
}
