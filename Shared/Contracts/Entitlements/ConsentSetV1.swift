/// Stores what a buyer agrees to.
///
/// - Sent by: gateway, operator
/// - Received by: entitlements
package struct ConsentSetV1: RequestContract, Hashable {
    package typealias Reply = ConsentV1

    package static let type: EventType = "counterfoil.consent.set.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    /// Whether Apple may be told what the buyer has used of a purchase.
    package var consumption: Bool
}
