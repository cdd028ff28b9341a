/// A submission was read; verdicts on these transactions will follow.
///
/// - Sent by: receipts
/// - Received by: notifications
package struct ReceiptAcceptedV1: Contract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.receipt.accepted.v1"
    /// 96 KiB: of a hundred transactions, whatever their products are called.
    package static let maximumBytes = 96 << 10

    package var bundleId: BundleID
    package var submission: Submission
    /// With their first verdicts, in the submission's order; a long submission is split into parts.
    package var transactions: [TransactionVerdict]
    /// Transactions in the earlier parts; absent in the first part.
    package var offset: Int? = nil
    /// The version of the app, which an app receipt states.
    package var applicationVersion: String? = nil
    /// The overall verdict where all or part of it is unreadable; `pending` while parts follow.
    package var verdict: Verdict? = nil
    package var reason: String? = nil
}
