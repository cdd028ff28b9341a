/// A submission and the verdicts on its transactions.
package struct ReceiptVerdictV1: Codable, Hashable, Sendable, DirectlyCoded {
    package var receiptId: ReceiptID
    /// The least final verdict of all transactions.
    package var verdict: Verdict
    package var reason: String?
    /// The version of the app, which an app receipt states.
    package var applicationVersion: String?
    package var transactions: [TransactionVerdict]

    package init(
        receiptId: ReceiptID,
        verdict: Verdict,
        reason: String? = nil,
        applicationVersion: String? = nil,
        transactions: [TransactionVerdict] = []
    ) {
        self.receiptId = receiptId
        self.verdict = verdict
        self.reason = reason
        self.applicationVersion = applicationVersion
        self.transactions = transactions
    }

    package var finish: Bool { verdict.finish && transactions.allSatisfy { $0.verdict.finish } }
}
