/// Whose a purchase is when an operator has decided about it.
package struct ReassignmentV1: Codable, Hashable, Sendable {
    /// What the decision does.
    package enum Effect: String, Codable, Sendable, CaseIterable {
        /// The ledger of the holder is asked to take it back, and it moves as soon as that has answered.
        case moves
        /// Nobody held it; it is proposed to the buyer.
        case proposed
        /// It is on its way to the buyer already.
        case underWay
        /// The buyer holds it already.
        case nothing
    }

    package var bundleId: BundleID
    package var purchaseId: PurchaseID
    /// By which it is known besides: its further transactions.
    package var names: [PurchaseID] = []
    package var productId: ProductID
    /// Who held it before; nil if nobody did.
    package var holderId: BuyerID?
    package var orderId: OrderID?
    /// By which evidence the holder has it.
    package var heldBy: HolderEvidence?
    /// What Apple's signed statement has as `appAccountToken`.
    package var appAccountToken: String?
    /// Who is parked, whom a token names first.
    package var parked: [BuyerID]
    package var buyerId: BuyerID
    package var effect: Effect
    /// Whether Apple has named an order number that the purchase has; nil where nobody has looked for it.
    ///
    /// Where it has not, another buyer's compensation on that number could not be seen.
    package var isNumberKnown: Bool? = nil
}
