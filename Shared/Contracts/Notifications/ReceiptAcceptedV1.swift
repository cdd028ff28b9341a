/// A submission was read: these transactions' verdicts will come.
///
/// - Sent by: receipts
/// - Received by: notifications
package struct ReceiptAcceptedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.receipt.accepted.v1"

    package var bundleId: BundleID
    package var submission: Submission
    /// Transactions of the submission with their first verdict, in its order; a long submission is told in parts.
    package var transactions: [TransactionVerdict]
    /// How many transactions stood in the parts before this one; absent from the first.
    package var offset: Int?
    /// The verdict on the whole where it, or a part of it, cannot be read; `pending` while parts follow.
    package var verdict: Verdict?
    /// Why, for `verdict`.
    package var reason: String?

    package init(
        bundleId: BundleID,
        submission: Submission,
        transactions: [TransactionVerdict],
        offset: Int? = nil,
        verdict: Verdict? = nil,
        reason: String? = nil
    ) {
        self.bundleId = bundleId
        self.submission = submission
        self.transactions = transactions
        self.offset = offset
        self.verdict = verdict
        self.reason = reason
    }
}
