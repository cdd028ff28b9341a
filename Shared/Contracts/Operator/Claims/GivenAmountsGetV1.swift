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

/// Whether a purchase has given amounts, which move by two persons alone.
package struct GivenAmounts: Codable, Hashable, Sendable {
    /// Nil where it has given nothing yet.
    package var hasGiven: Bool? = nil
}
