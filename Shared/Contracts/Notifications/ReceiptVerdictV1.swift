/// A submission and the verdicts on its transactions.
package struct ReceiptVerdictV1: Codable, Hashable, Sendable {
    package var receiptId: ReceiptID
    /// The least final verdict of all transactions.
    package var verdict: Verdict
    package var reason: String?
    package var transactions: [TransactionVerdict]

    package init(
        receiptId: ReceiptID,
        verdict: Verdict,
        reason: String? = nil,
        transactions: [TransactionVerdict] = []
    ) {
        self.receiptId = receiptId
        self.verdict = verdict
        self.reason = reason
        self.transactions = transactions
    }

    package var finish: Bool { verdict.finish && transactions.allSatisfy { $0.verdict.finish } }
}
