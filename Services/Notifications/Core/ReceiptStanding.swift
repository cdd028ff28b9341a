package import Contracts

/// A submission as Notifications knows it, and the one answer that follows from it.
package struct ReceiptStanding: Hashable, Sendable {
    /// The verdict on the whole, of a submission without a readable transaction.
    package struct Whole: Hashable, Sendable {
        package var verdict: Verdict
        package var reason: String?

        /// A verdict and why.
        package init(_ verdict: Verdict, reason: String? = nil) {
            self.verdict = verdict
            self.reason = reason
        }

        /// What this and the known verdict on the whole come to.
        package func merged(into known: Whole?) -> Whole? { verdict.replaces(known?.verdict) ? self : known }
    }

    /// Longest that an answer is waited for, in ms.
    package static let maximumWaitMilliseconds = 30_000

    package var receiptId: ReceiptID
    /// Whether Receipts has said which transactions the submission holds; until then the answer is `pending`.
    package var isAccepted: Bool
    package var whole: Whole?
    /// In the order of the submission.
    package var transactions: [TransactionVerdict]

    /// What is known of a submission.
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

    /// The outer verdict, the least final of all, with the transactions it stands for.
    ///
    /// A final verdict on the whole stands until every transaction that came later is final too.
    package var answer: ReceiptVerdictV1 {
        guard isAccepted else { return ReceiptVerdictV1(receiptId: receiptId, verdict: .pending) }
        guard let least = leastFinal, least.verdict.finish || whole?.verdict.finish != true else {
            return ReceiptVerdictV1(
                receiptId: receiptId,
                verdict: whole?.verdict ?? .pending,
                reason: whole?.reason
            )
        }
        return ReceiptVerdictV1(
            receiptId: receiptId,
            verdict: least.verdict,
            reason: least.reason,
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
        milliseconds <= 0 || answer.verdict != .pending
    }
}
