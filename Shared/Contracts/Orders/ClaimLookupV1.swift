/// Asks one partition of Orders whether the transaction pays one of its orders already.
///
/// Answered as a proposal is: held, or refused because of an unknown order. Nothing is paid because of it.
///
/// - Sent by: receipts
/// - Received by: orders
package struct ClaimLookupV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.lookup.v1"

    /// Counts the questions about this transaction together with its proposals; the answer repeats it.
    package var attempt: Int
    package var transaction: TransactionFacts
    /// Whose verdict must come home.
    package var submission: Submission?

    package init(attempt: Int, transaction: TransactionFacts, submission: Submission? = nil) {
        self.attempt = attempt
        self.transaction = transaction
        self.submission = submission
    }
}
