/// A verdict on a transaction that its claim alone decides.
///
/// - Sent by: receipts
/// - Received by: notifications
package struct TransactionJudgedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.transaction.judged.v1"

    package var bundleId: BundleID
    package var submission: Submission
    package var transaction: TransactionVerdict

    package init(bundleId: BundleID, submission: Submission, transaction: TransactionVerdict) {
        self.bundleId = bundleId
        self.submission = submission
        self.transaction = transaction
    }
}
