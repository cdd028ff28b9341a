/// Asks Orders whether the transaction belongs to this candidate.
///
/// - Sent by: receipts
/// - Received by: orders
package struct ClaimProposedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.claim.proposed.v1"

    /// Counts the proposals of this transaction; the answer repeats it.
    package var attempt: Int
    package var candidate: ClaimCandidate
    package var transaction: TransactionFacts
    /// Whose verdict must be updated.
    package var submission: Submission?

    package init(
        attempt: Int,
        candidate: ClaimCandidate,
        transaction: TransactionFacts,
        submission: Submission? = nil
    ) {
        self.attempt = attempt
        self.candidate = candidate
        self.transaction = transaction
        self.submission = submission
    }
}

extension ClaimProposedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        attempt = try json.member("attempt", value?.attempt)
        candidate = try json.member("candidate", value?.candidate)
        transaction = try json.member("transaction", value?.transaction)
        submission = try json.optional("submission", value?.submission)
        try json.close()
    }
}
