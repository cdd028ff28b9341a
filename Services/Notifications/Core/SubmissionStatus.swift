import Contracts
import Domain

/// The state of a submission, and the verdict that follows.
struct SubmissionStatus: Hashable, Sendable {
    /// The verdict on a submission as a whole, if it, or a part of it, could not be read.
    struct Overall: Hashable, Sendable {
        var verdict: Verdict
        var reason: String?
    }

    /// The reason of a verdict that is `pending` until the app submits another proof: waiting does not help.
    private static let emptyReceipt = "emptyReceipt"

    var receiptId: ReceiptID
    /// The submission's app; nil, with the verdict `pending`, until its transactions are known.
    var bundleId: BundleID?
    var overall: Overall?
    /// The version of the app, which an app receipt states.
    var applicationVersion: String?
    /// In the order of the submission.
    var transactions: [TransactionVerdict] = []

    /// What a reading of its proof makes of the submission; nil when nothing changes.
    func accepting(_ message: ReceiptAcceptedV1) -> SubmissionStatus? {
        var accepted = self
        accepted.bundleId = message.bundleId
        accepted.applicationVersion = message.applicationVersion ?? applicationVersion
        let reading = message.verdict.map { Overall(verdict: $0, reason: message.reason) }
        accepted.overall = overall(after: reading)
        return accepted == self ? nil : accepted
    }

    /// The overall verdict after the proof was read again, with the result `reading`.
    ///
    /// Tested by: `VerdictTests`.
    ///
    /// Readings come over one link, so the later one knows more; but what a phone may finish it may finish for ever.
    ///
    /// | known \ reading | nothing | open                        | final |
    /// |-----------------|---------|-----------------------------|-------|
    /// | nothing         | nothing | taken, if none may be finished | taken |
    /// | open            | nothing | taken                       | taken |
    /// | final           | kept    | kept                        | taken |
    private func overall(after reading: Overall?) -> Overall? {
        switch (overall?.verdict.finish, reading?.verdict.finish) {
        case (nil, nil), (false, nil): nil
        case (true, nil), (true, false): overall
        case (nil, false): verdict.verdict.finish ? nil : reading
        case (false, false), (nil, true), (false, true), (true, true): reading
        }
    }

    /// The outer verdict, the least final of all, with its transactions.
    ///
    /// A final overall verdict holds until every transaction that came later is final too.
    var verdict: ReceiptVerdictV1 {
        guard bundleId != nil else { return verdict(Overall(verdict: .pending)) }
        let leastFinal = transactions.max { $0.verdict.openness < $1.verdict.openness }
        guard let least = leastFinal.map({ Overall(verdict: $0.verdict, reason: $0.reason) }) else {
            return verdict(overall ?? Overall(verdict: .pending))
        }
        guard let overall else { return verdict(least, transactions) }
        switch (overall.verdict.finish, least.verdict.finish) {
        case (true, false): return verdict(overall)
        case (true, true): return verdict(least, transactions)
        case (false, _):
            let isLeast = overall.verdict.openness >= least.verdict.openness
            return verdict(isLeast ? overall : least, transactions)
        }
    }

    private func verdict(_ outer: Overall, _ transactions: [TransactionVerdict] = []) -> ReceiptVerdictV1 {
        ReceiptVerdictV1(
            receiptId: receiptId,
            verdict: outer.verdict,
            reason: outer.reason,
            applicationVersion: applicationVersion,
            transactions: transactions
        )
    }

    /// The end of a phone's wait of `milliseconds` from `now` on; nil when it gets its reply at once.
    ///
    /// A restore waits for the end of an earlier `conflict`, too, which gives no reason.
    func waitEnd(_ milliseconds: Int, restores: Bool = false, from now: Timestamp) -> Timestamp? {
        let isOpen =
            verdict.verdict == .pending || restores && verdict.verdict == .conflict && verdict.reason == nil
        guard milliseconds > 0, isOpen, overall?.reason != Self.emptyReceipt else {
            return nil
        }
        return now.advanced(by: Int64(min(milliseconds, Limits.waitMilliseconds.upperBound)))
    }

    /// Whether an app may ask, and if a phone does, its buyer: it is their own submission, or an unknown one.
    func isVisible(to app: BundleID, _ buyer: BuyerID? = nil, submitter: BuyerID? = nil) -> Bool {
        bundleId == nil || bundleId == app && (buyer == nil || buyer == submitter)
    }

    /// Whether every verdict on this app's submission is final.
    func isFinished(in app: BundleID) -> Bool { bundleId == app && verdict.finish }

    /// Whether the app's submission is deleted with its proof: it is `invalid` and holds no transaction.
    func isPurgeable(in app: BundleID) -> Bool {
        bundleId == app && overall?.verdict == .invalid && transactions.isEmpty
    }
}
