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
    /// For whoever wrote the app: what is wrong with a malformed proof, where that is known.
    let detail: String?
    /// The version of the app, which an app receipt states.
    let applicationVersion: String?
    let transactions: [Transaction]

    init(_ verdict: ReceiptVerdictV1, detail: String? = nil) {
        receiptId = verdict.receiptId
        self.verdict = verdict.verdict
        environment = verdict.transactions.first?.environment
        finish = verdict.finish
        reason = verdict.reason
        self.detail = detail
        applicationVersion = verdict.applicationVersion
        transactions = verdict.transactions.map(Transaction.init)
    }
}

extension ReceiptResponse: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        receiptId = try json.member("receiptId", value?.receiptId)
        verdict = try json.member("verdict", value?.verdict)
        environment = try json.optional("environment", value?.environment)
        finish = try json.member("finish", value?.finish)
        reason = try json.optional("reason", value?.reason)
        detail = try json.optional("detail", value?.detail)
        applicationVersion = try json.optional("applicationVersion", value?.applicationVersion)
        transactions = try json.member("transactions", value?.transactions)
        try json.close()
    }
}

extension ReceiptResponse.Transaction: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transactionId = try json.member("transactionId", value?.transactionId)
        originalTransactionId = try json.member("originalTransactionId", value?.originalTransactionId)
        productId = try json.member("productId", value?.productId)
        quantity = try json.member("quantity", value?.quantity)
        environment = try json.member("environment", value?.environment)
        orderId = try json.optional("orderId", value?.orderId)
        verdict = try json.member("verdict", value?.verdict)
        finish = try json.member("finish", value?.finish)
        grantedAt = try json.optional("grantedAt", value?.grantedAt)
        reason = try json.optional("reason", value?.reason)
        try json.close()
    }
}
