import Contracts

/// The response to a submission: every verdict says whether the phone may finish.
struct ReceiptResponse: Encodable, Equatable {
    struct Transaction: Encodable, Equatable {
        let transactionId: TransactionID
        let originalTransactionId: TransactionID
        let productId: ProductID
        let quantity: Int
        let environment: Contracts.Environment
        let orderId: OrderID?
        let verdict: Verdict
        let finish: Bool
        /// When the buyer's ledger got it; only where it is granted.
        let grantedAt: Timestamp?
        let reason: String?

        fileprivate init(_ verdict: TransactionVerdict) {
            transactionId = verdict.transactionId
            originalTransactionId = verdict.originalTransactionId
            productId = verdict.productId
            quantity = verdict.quantity
            environment = verdict.environment
            orderId = verdict.orderId
            self.verdict = verdict.verdict
            finish = verdict.verdict.finish
            grantedAt = verdict.grantedAt
            reason = verdict.reason
        }
    }

    let receiptId: ReceiptID
    let verdict: Verdict
    /// Where the purchases of the proof were made; nil while unknown.
    let environment: Contracts.Environment?
    let finish: Bool
    let reason: String?
    let transactions: [Transaction]

    init(_ verdict: ReceiptVerdictV1) {
        receiptId = verdict.receiptId
        self.verdict = verdict.verdict
        environment = verdict.transactions.first?.environment
        finish = verdict.finish
        reason = verdict.reason
        transactions = verdict.transactions.map(Transaction.init)
    }
}
