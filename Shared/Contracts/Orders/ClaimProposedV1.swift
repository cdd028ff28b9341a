/// Asks Orders whether the transaction belongs to this candidate.
///
/// - Sent by: receipts
/// - Received by: orders
package struct ClaimProposedV1: Contract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.claim.proposed.v1"

    /// Counts the proposals of this transaction; the answer repeats it.
    package var attempt: Int
    package var candidate: ClaimCandidate
    package var transaction: TransactionFacts
    /// Whose verdict must be updated.
    package var submission: Submission? = nil
}
