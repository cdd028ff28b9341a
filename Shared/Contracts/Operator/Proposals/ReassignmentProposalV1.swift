/// A move to another buyer that one operator has proposed.
package struct ReassignmentProposalV1: Codable, Hashable, Sendable {
    package var proposalId: ProposalID
    package var bundleId: BundleID
    package var environment: Environment
    package var purchaseId: PurchaseID
    package var productId: ProductID
    package var quantity: Int
    /// Who had it when the move was proposed.
    package var holderId: BuyerID
    package var buyerId: BuyerID
    package var reason: String
    package var proposedBy: OperatorID
    package var proposedAt: Timestamp
    /// Nil until another operator has confirmed it.
    package var confirmedBy: OperatorID? = nil
    package var confirmedAt: Timestamp? = nil
    /// When it was withdrawn; nobody confirms it any more.
    package var endedAt: Timestamp? = nil
}
