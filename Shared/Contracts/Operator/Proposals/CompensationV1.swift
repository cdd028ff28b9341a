/// A compensation, as the buyer's ledger has it.
package struct CompensationV1: Codable, Hashable, Sendable {
    /// How far it has come.
    package enum State: String, Codable, Sendable, CaseIterable {
        /// It waits for another operator, for 7 days.
        case proposed
        /// The buyer has the goods.
        case granted
        /// An operator has taken it back.
        case reversed
        /// The proof has come, and its purchase has taken the place of the compensation.
        case matched
        /// Nobody has confirmed it in time, it was withdrawn, or its order was paid first.
        case void
    }

    package var proposalId: ProposalID
    package var state: State
    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var productId: ProductID
    package var quantity: Int
    package var basis: CompensationBasis
    package var reason: String
    package var proposedBy: OperatorID
    package var proposedAt: Timestamp
    package var confirmedBy: OperatorID? = nil
    package var confirmedAt: Timestamp? = nil
    /// When it was reversed or matched, or became void.
    package var endedAt: Timestamp? = nil
    /// Why an operator has taken it back, or withdrawn it.
    package var endedReason: String? = nil
    /// The purchase with which it was matched.
    package var purchaseId: PurchaseID? = nil
}
