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
    /// Whether the order is refused while the buyer has an open one of the same product.
    package var onlyOne: Bool?
    /// Most units of the product that one buyer may pay for; nil without a limit.
    package var limit: Int?
    /// False when the product's sale has not begun or is over, or the product is retired.
    package var onSale: Bool?

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        productId: ProductID,
        quantity: Int,
        environment: Environment,
        idempotencyKey: String,
        reference: String? = nil,
        metadata: [String: JSONValue]? = nil,
        onlyOne: Bool? = nil,
        limit: Int? = nil,
        onSale: Bool? = nil
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.productId = productId
        self.quantity = quantity
        self.environment = environment
        self.idempotencyKey = idempotencyKey
        self.reference = reference
        self.metadata = metadata
        self.onlyOne = onlyOne
        self.limit = limit
        self.onSale = onSale
    }
}

extension OrderIssueV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        productId = try json.member("productId", value?.productId)
        quantity = try json.member("quantity", value?.quantity)
        environment = try json.member("environment", value?.environment)
        idempotencyKey = try json.member("idempotencyKey", value?.idempotencyKey)
        reference = try json.optional("reference", value?.reference)
        metadata = try json.optional("metadata", value?.metadata)
        onlyOne = try json.optional("onlyOne", value?.onlyOne)
        limit = try json.optional("limit", value?.limit)
        onSale = try json.optional("onSale", value?.onSale)
        try json.close()
    }
}
