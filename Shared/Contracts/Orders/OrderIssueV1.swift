/// Makes an order before payment.
///
/// - Sent by: gateway
/// - Received by: orders
package struct OrderIssueV1: RequestContract, Hashable, DirectlyCoded {
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
    package var reference: String? = nil
    /// Returned with the order, its ledger entries and its webhooks.
    package var metadata: [String: JSONValue]? = nil
    /// Whether the order is refused while the buyer has an open one of the same product.
    package var onlyOne: Bool? = nil
    /// Most units of the product that one buyer may pay for; nil without a limit.
    package var limit: Int? = nil
    /// False when the product's sale has not begun or is over, or the product is retired.
    package var onSale: Bool? = nil
    /// Who asks, if that is no server of the app; a phone may have a limited number of open orders.
    package var issuedBy: OrderV1.Issuer? = nil
}
