/// Asks a partition of Orders whether the transaction already pays one of its orders.
///
/// Answered like a proposal: held, or refused as unknown order. It pays nothing.
///
/// - Sent by: receipts
/// - Received by: orders
package struct ClaimLookupV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.lookup.v1"

    /// Counts lookups and proposals of this transaction; the answer repeats it.
    package var attempt: Int
    package var transaction: TransactionFacts
    /// Whose verdict must be updated.
    package var submission: Submission? = nil
}
