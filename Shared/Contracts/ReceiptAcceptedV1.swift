/// A submission was read: these transactions' verdicts will come.
///
/// - Sent by: receipts
/// - Received by: notifications
package struct ReceiptAcceptedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.receipt.accepted.v1"

    package var bundleId: BundleID
    package var submission: Submission
    /// All transactions of the submission with their first verdict.
    package var transactions: [TransactionVerdict]
    /// The verdict on the whole where it holds no readable transaction.
    package var verdict: Verdict?
    /// Why, for `verdict`.
    package var reason: String?

    /// The message, with what it says.
    package init(
        bundleId: BundleID,
        submission: Submission,
        transactions: [TransactionVerdict],
        verdict: Verdict? = nil,
        reason: String? = nil
    ) {
        self.bundleId = bundleId
        self.submission = submission
        self.transactions = transactions
        self.verdict = verdict
        self.reason = reason
    }
}
