@testable import CounterfoilClient

extension Proof {
    /// A proof of one transaction; `text` stands for what Apple signed.
    static func sample(
        _ id: String = "1",
        text: String = "a.b.c",
        buyer: String? = "ada",
        orderID: String? = nil,
        isPurchase: Bool = true
    ) -> Proof {
        Proof(
            transactionID: id,
            content: .signedTransaction(text),
            productID: "coins",
            buyer: buyer,
            orderID: orderID,
            token: orderID,
            isRestore: false,
            isPurchase: isPurchase
        )
    }
}

extension SeenTransaction {
    /// A transaction of the product `coins`.
    static func sample(
        _ id: String = "1",
        text: String = "a.b.c",
        token: String? = nil,
        isRestore: Bool = false
    ) -> SeenTransaction {
        var seen = SeenTransaction(transactionID: id, content: .signedTransaction(text))
        seen.productID = "coins"
        seen.appAccountToken = token
        seen.isRestore = isRestore
        return seen
    }
}

extension KeptPurchase {
    static let sample = KeptPurchase("order-1", or: "t1", of: "coins", buyer: "ada", startedAt: 1)
}

extension DeliveryAnswer {
    /// An answer with a verdict.
    static func verdict(
        _ verdict: String,
        finish: Bool,
        status: Int = 200,
        reason: String? = nil
    ) -> DeliveryAnswer {
        DeliveryAnswer(
            status: status,
            receipt: .init(receiptId: "r1", verdict: verdict, finish: finish, reason: reason)
        )
    }

    static let granted = verdict("granted", finish: true)
    static let pending = verdict("pending", finish: false, status: 202)
    static let lost = DeliveryAnswer(status: nil)
    static let busy = DeliveryAnswer(status: 503, retryAfter: 60_000, code: "unavailable")
}

extension ProofDelivery.Effect {
    /// Its word in the table.
    var word: String {
        switch self {
        case .keep: "keep"
        case .send: "send"
        case .wait: "wait"
        case .finish: "finish"
        case .forget: "forget"
        case .refreshReceipt: "refresh"
        }
    }
}

extension Checkout.Effect {
    /// Its word in the table.
    var word: String {
        switch self {
        case .order: "order"
        case .keep: "keep"
        case .purchase: "purchase"
        case .forget: "forget"
        case .report: "report"
        }
    }
}
