package import Contracts

/// What somebody wants to buy, and what the studio attached to it.
///
/// Two requests under one key are the same request if their contents are equal; the stored order is therefore the
/// fingerprint of the request that made it.
package struct OrderContent: Equatable, Sendable {
    /// How many of a product one order may ask for; StoreKit sells no more at once.
    package static let quantities = 1...10
    /// Bytes of an environment's name.
    package static let environmentBytes = 1...64
    /// Bytes of the JSON object that a studio may attach.
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

    /// What a request asks for.
    package init(_ request: OrderIssueV1) {
        self.init(
            productID: request.productId,
            quantity: request.quantity,
            environment: request.environment,
            reference: request.reference,
            metadata: request.metadata
        )
    }

    /// What a transaction that has no order of its own has bought.
    package init(_ transaction: TransactionFacts) {
        self.init(
            productID: transaction.productId,
            quantity: transaction.quantity,
            environment: transaction.environment
        )
    }

    /// Whether an order with this content may be paid by the transaction.
    ///
    /// The quantity need not agree: what is granted is what the transaction says.
    package func matches(_ transaction: TransactionFacts) -> Bool {
        productID == transaction.productId && environment == transaction.environment
    }
}
