/// Apple's signature over this transaction holds.
///
/// - Sent by: receipts (partition of the submitter)
/// - Received by: receipts (partition of the original transaction id)
package struct TransactionVerifiedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.transaction.verified.v1"

    /// Every field that Apple signed.
    package var transaction: SignedTransaction
    /// Whose verdict must come home; nil when Apple told us.
    package var submission: Submission?

    package init(transaction: SignedTransaction, submission: Submission? = nil) {
        self.transaction = transaction
        self.submission = submission
    }
}
