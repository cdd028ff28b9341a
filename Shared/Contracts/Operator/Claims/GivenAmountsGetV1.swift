/// Asks the ledger of a purchase's holder whether the purchase has given amounts.
///
/// - Sent by: gateway
/// - Received by: entitlements
package struct GivenAmountsGetV1: RequestContract, Hashable {
    package typealias Reply = GivenAmounts

    package static let type: EventType = "counterfoil.given.amounts.get.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var purchaseId: PurchaseID
}
