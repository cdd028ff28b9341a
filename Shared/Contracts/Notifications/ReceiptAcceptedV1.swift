/// A submission was read; verdicts on these transactions will follow.
///
/// - Sent by: receipts
/// - Received by: notifications
package struct ReceiptAcceptedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.receipt.accepted.v1"
    /// 96 KiB: of a hundred transactions, whatever their products are called.
    package static let maximumBytes = 96 << 10

    package var bundleId: BundleID
    package var submission: Submission
    /// With their first verdicts, in the submission's order; a long submission is split into parts.
    package var transactions: [TransactionVerdict]
    /// Transactions in the earlier parts; absent in the first part.
    package var offset: Int?
    /// The version of the app, which an app receipt states.
    package var applicationVersion: String?
    /// The overall verdict where all or part of it is unreadable; `pending` while parts follow.
    package var verdict: Verdict?
    package var reason: String?

    package init(
        bundleId: BundleID,
        submission: Submission,
        transactions: [TransactionVerdict],
        offset: Int? = nil,
        applicationVersion: String? = nil,
        verdict: Verdict? = nil,
        reason: String? = nil
    ) {
        self.bundleId = bundleId
        self.submission = submission
        self.transactions = transactions
        self.offset = offset
        self.applicationVersion = applicationVersion
        self.verdict = verdict
        self.reason = reason
    }
}

extension ReceiptAcceptedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        submission = try json.member("submission", value?.submission)
        transactions = try json.member("transactions", value?.transactions)
        offset = try json.optional("offset", value?.offset)
        applicationVersion = try json.optional("applicationVersion", value?.applicationVersion)
        verdict = try json.optional("verdict", value?.verdict)
        reason = try json.optional("reason", value?.reason)
        try json.close()
    }
}
