/// What an operator has done: one line of the record that only grows.
///
/// It names nobody: operators by their id, buyers by a pseudonym. The reason is the operator's own text.
package struct Act: Codable, Hashable, Sendable {
    /// What was done.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A purchase that nobody held goes to a buyer.
        case assigned
        /// A purchase goes from its holder to another buyer.
        case reassigned
        case moveProposed, moveConfirmed, moveWithdrawn
        /// Who holds the purchase has changed, so that nobody confirms the move any more.
        case moveVoided
        case compensationProposed, compensationConfirmed, compensationReversed
        /// A proposal that nobody had confirmed.
        case compensationWithdrawn
        /// A backup was put back, and the ledger has given the compensation again that it had lost.
        case compensationRestored
        /// Nobody has confirmed it in time, and another one took its place.
        case compensationExpired
        /// The proof of a compensated order has come, and the ledger has taken the compensation back by itself.
        case compensationMatched
        /// A purchase has come that may be the compensated one, and the buyer has both.
        case compensationKept
    }

    /// Which one of its partition.
    package var number: Int64
    package var time: Timestamp
    /// Nil of what the ledger has done by itself.
    package var operatorId: OperatorID?
    package var kind: Kind
    /// The purchase, or the proposal.
    package var subject: String
    /// The move that an act about a purchase belongs to.
    package var proposalId: ProposalID? = nil
    /// The buyer's pseudonym.
    package var person: String?
    package var reason: String?
    package var before: String
    package var after: String
}
