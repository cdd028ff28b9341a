/// Apple's signature on this transaction is valid.
///
/// - Sent by: receipts (partition of the submitter)
/// - Received by: receipts (partition of the original transaction id)
package struct TransactionVerifiedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.transaction.verified.v1"

    package var transaction: SignedTransaction
    /// Whose verdict must be updated; nil when Apple sent it.
    package var submission: Submission?

    package init(transaction: SignedTransaction, submission: Submission? = nil) {
        self.transaction = transaction
        self.submission = submission
    }
}

extension TransactionVerifiedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transaction = try json.member("transaction", value?.transaction)
        submission = try json.optional("submission", value?.submission)
        try json.close()
    }
}
