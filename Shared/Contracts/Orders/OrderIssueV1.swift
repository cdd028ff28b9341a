/// Makes an order before payment.
///
/// - Sent by: gateway
/// - Received by: orders
package struct OrderIssueV1: RequestContract, Hashable {
    package typealias Reply = OrderV1

    package static let type: EventType = "counterfoil.order.issue.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var productId: ProductID
    package var quantity: Int
    package var environment: Environment
    /// The caller's `Idempotency-Key`; the same key with other content is refused.
    package var idempotencyKey: String
    /// The studio's own order number, unique per app and buyer's partition.
    package var reference: String?
    /// Returned with the order, its ledger entries and its webhooks.
    package var metadata: [String: JSONValue]?

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        productId: ProductID,
        quantity: Int,
        environment: Environment,
        idempotencyKey: String,
        reference: String? = nil,
        metadata: [String: JSONValue]? = nil
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.productId = productId
        self.quantity = quantity
        self.environment = environment
        self.idempotencyKey = idempotencyKey
        self.reference = reference
        self.metadata = metadata
    }
}
