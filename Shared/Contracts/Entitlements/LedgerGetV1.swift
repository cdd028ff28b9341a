/// Asks for a page of a buyer's ledger, oldest first.
///
/// - Sent by: gateway, operator
/// - Received by: entitlements
package struct LedgerGetV1: RequestContract, Hashable {
    package typealias Reply = LedgerV1

    package static let type: EventType = "counterfoil.ledger.get.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    /// Nil for all.
    package var environment: Environment? = nil
    /// Only entries after the one with this id.
    package var after: String? = nil
    /// Entries per page, 1 to 1,000.
    package var limit: Int
}
