package import Contracts

/// A submission as Notifications knows it, and the one answer that follows from it.
package struct ReceiptStanding: Hashable, Sendable {
    /// The verdict on the whole of a submission, where it, or a part of it, could not be read.
    package struct Whole: Hashable, Sendable {
        package var verdict: Verdict
        package var reason: String?

        package init(_ verdict: Verdict, reason: String? = nil) {
            self.verdict = verdict
            self.reason = reason
        }
    }

    /// Longest that an answer is waited for, in ms.
    package static let maximumWaitMilliseconds = 30_000

    /// The reason of a verdict that stays `pending` until the app hands in another proof: nothing is to be waited for.
    package static let emptyReceipt = "emptyReceipt"

    package var receiptId: ReceiptID
    /// Whether Receipts has said which transactions the submission holds; until then the answer is `pending`.
    package var isAccepted: Bool
    package var whole: Whole?
    /// In the order of the submission.
    package var transactions: [TransactionVerdict]

    package init(
        receiptId: ReceiptID,
        isAccepted: Bool,
        whole: Whole? = nil,
        transactions: [TransactionVerdict] = []
    ) {
        self.receiptId = receiptId
        self.isAccepted = isAccepted
        self.whole = whole
        self.transactions = transactions
    }

    /// The verdict on the whole after another reading of the proof, which found `reading` to say of it.
    ///
    /// Readings come over one link, so the later one knows more; but what a phone may finish it may finish for ever.
    ///
    /// | known \ reading | nothing | open                        | final |
    /// |-----------------|---------|-----------------------------|-------|
    /// | nothing         | nothing | taken, if none may be finished | taken |
    /// | open            | nothing | taken                       | taken |
    /// | final           | kept    | kept                        | taken |
    package func whole(after reading: Whole?) -> Whole? {
        switch (whole?.verdict.finish, reading?.verdict.finish) {
        case (nil, nil), (false, nil): nil
        case (true, nil), (true, false): whole
        case (nil, false): answer.verdict.finish ? nil : reading
        case (false, false), (nil, true), (false, true), (true, true): reading
        }
    }

    /// The outer verdict, the least final of all, with the transactions it stands for.
    ///
    /// A final verdict on the whole stands until every transaction that came later is final too.
    package var answer: ReceiptVerdictV1 {
        guard isAccepted else { return ReceiptVerdictV1(receiptId: receiptId, verdict: .pending) }
        guard let least = leastFinal else { return answer(whole ?? Whole(.pending)) }
        guard let whole else { return answer(Whole(least.verdict, reason: least.reason), transactions) }
        switch (whole.verdict.finish, least.verdict.finish) {
        case (true, false): return answer(whole)
        case (true, true): return answer(Whole(least.verdict, reason: least.reason), transactions)
        case (false, _):
            let isLeast = whole.verdict.openness >= least.verdict.openness
            return answer(isLeast ? whole : Whole(least.verdict, reason: least.reason), transactions)
        }
    }

    private func answer(_ outer: Whole, _ transactions: [TransactionVerdict] = []) -> ReceiptVerdictV1 {
        ReceiptVerdictV1(
            receiptId: receiptId,
            verdict: outer.verdict,
            reason: outer.reason,
            transactions: transactions
        )
    }

    /// The first of the least final verdicts.
    private var leastFinal: TransactionVerdict? {
        transactions.reduce(nil) { least, next in
            guard let least else { return next }
            return next.verdict.openness > least.verdict.openness ? next : least
        }
    }

    /// Whether one who is ready to wait `milliseconds` is answered at once.
    package func answersNow(wait milliseconds: Int) -> Bool {
        milliseconds <= 0 || answer.verdict != .pending || whole?.reason == Self.emptyReceipt
    }
}
