import Contracts

/// The state of a submission, and the verdict that follows.
struct SubmissionStatus: Hashable, Sendable {
    /// The verdict on a submission as a whole, if it, or a part of it, could not be read.
    struct Overall: Hashable, Sendable {
        var verdict: Verdict
        var reason: String?

        init(_ verdict: Verdict, reason: String? = nil) {
            self.verdict = verdict
            self.reason = reason
        }
    }

    static let maximumWaitMilliseconds = 30_000

    /// The reason of a verdict that is `pending` until the app submits another proof: waiting does not help.
    static let emptyReceipt = "emptyReceipt"

    var receiptId: ReceiptID
    /// The submission's app; nil, with the verdict `pending`, until its transactions are known.
    var bundleId: BundleID?
    var overall: Overall?
    /// In the order of the submission.
    var transactions: [TransactionVerdict] = []

    /// The overall verdict after the proof was read again, with the result `reading`.
    ///
    /// Readings come over one link, so the later one knows more; but what a phone may finish it may finish for ever.
    ///
    /// | known \ reading | nothing | open                        | final |
    /// |-----------------|---------|-----------------------------|-------|
    /// | nothing         | nothing | taken, if none may be finished | taken |
    /// | open            | nothing | taken                       | taken |
    /// | final           | kept    | kept                        | taken |
    func overall(after reading: Overall?) -> Overall? {
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
        guard bundleId != nil else { return verdict(Overall(.pending)) }
        let leastFinal = transactions.max { $0.verdict.openness < $1.verdict.openness }
        guard let least = leastFinal.map({ Overall($0.verdict, reason: $0.reason) }) else {
            return verdict(overall ?? Overall(.pending))
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
            transactions: transactions
        )
    }

    /// Whether a phone that would wait `milliseconds` gets its reply at once.
    func repliesNow(wait milliseconds: Int) -> Bool {
        milliseconds <= 0 || verdict.verdict != .pending || overall?.reason == Self.emptyReceipt
    }

    /// Whether the submission is deleted with its proof: it is `invalid` and holds no transaction.
    var isPurgeable: Bool { overall?.verdict == .invalid && transactions.isEmpty }
}
