/// Asks Orders whom this candidate names, about a purchase that another buyer holds.
///
/// Answered with `ChallengeAnsweredV1`. It pays nothing.
///
/// - Sent by: receipts
/// - Received by: orders
package struct ClaimChallengedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.challenged.v1"

    /// Counts the requests about this purchase; the answer repeats it.
    package var attempt: Int
    /// A token or an order.
    package var candidate: ClaimCandidate
    package var transaction: TransactionFacts
}
