package import Contracts

/// What a buyer wants to buy, and what the studio attached to it.
///
/// Requests under one key are the same request if their contents are equal, so the stored order is the fingerprint of
/// its request.
package struct OrderContent: Equatable, Sendable {
    /// Permitted quantities of one order; StoreKit sells no more at once.
    package static let quantities = 1...10
    package static let environmentBytes = 1...64
    package static let maximumMetadataBytes = 2 << 10

    package let productID: ProductID
    package let quantity: Int
    package let environment: Environment
    package let reference: String?
    package let metadata: [String: JSONValue]?

    package init(
        productID: ProductID,
        quantity: Int,
        environment: Environment,
        reference: String? = nil,
        metadata: [String: JSONValue]? = nil
    ) {
        self.productID = productID
        self.quantity = quantity
        self.environment = environment
        self.reference = reference
        self.metadata = metadata
    }

    package init(_ request: OrderIssueV1) {
        self.init(
            productID: request.productId,
            quantity: request.quantity,
            environment: request.environment,
            reference: request.reference,
            metadata: request.metadata
        )
    }

    package init(_ transaction: TransactionFacts) {
        self.init(
            productID: transaction.productId,
            quantity: transaction.quantity,
            environment: transaction.environment
        )
    }

    /// Whether the transaction may pay an order with this content; the transaction's quantity counts.
    package func matches(_ transaction: TransactionFacts) -> Bool {
        productID == transaction.productId && environment == transaction.environment
    }
}
