/// An operator decides whose a purchase is: everything goes to the newcomer.
///
/// Repeated, it changes nothing more.
///
/// - Sent by: gateway
/// - Received by: receipts
package struct ClaimReassignV1: RequestContract, Hashable {
    package typealias Reply = ReassignmentV1

    package static let type: EventType = "counterfoil.claim.reassign.v1"

    /// The purchase, by its id or that of one of its transactions.
    package var purchaseId: PurchaseID
    /// Nil if only one app of the group has such a purchase.
    package var bundleId: BundleID? = nil
    package var environment: Environment
    /// Nil for the one buyer whose submission is parked.
    package var buyerId: BuyerID? = nil
    /// Why, for whoever reads the trace.
    package var reason: String
    package var decidedBy: OperatorID
    package var isDryRun: Bool
    /// Whether it is refused where somebody holds the purchase.
    package var onlyOrphan: Bool? = nil
}
