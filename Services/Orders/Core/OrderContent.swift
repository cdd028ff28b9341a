import Contracts

/// What a buyer wants to buy, and what the studio attached to it.
///
/// Requests under one key are the same request if their contents are equal, so the stored order is the fingerprint of
/// its request.
struct OrderContent: Equatable, Sendable {
    let productID: ProductID
    let quantity: Int
    let environment: Environment
    var reference: String?
    var metadata: [String: JSONValue]?
    /// Nil where a server of the app asked for the order, and where nobody did.
    var issuedBy: OrderV1.Issuer?

    /// Whether the transaction may pay an order with this content; the transaction's quantity counts.
    func matches(_ transaction: TransactionFacts) -> Bool {
        productID == transaction.productId && environment == transaction.environment
    }
}

extension OrderContent {
    init(_ request: OrderIssueV1) {
        self.init(
            productID: request.productId,
            quantity: request.quantity,
            environment: request.environment,
            reference: request.reference,
            metadata: request.metadata,
            issuedBy: request.issuedBy
        )
    }

    init(_ transaction: TransactionFacts) {
        self.init(
            productID: transaction.productId,
            quantity: transaction.quantity,
            environment: transaction.environment
        )
    }
}
