/// Asks for a page of a buyer's orders, newest first.
///
/// - Sent by: gateway
/// - Received by: orders
package struct OrdersListV1: RequestContract, Hashable {
    package typealias Reply = OrdersV1

    package static let type: EventType = "counterfoil.orders.list.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    /// Only orders in one of these states; nil for all.
    package var states: [OrderV1.State]?
    package var productId: ProductID?
    /// Only orders of one of these origins; nil for all but renewals.
    package var origins: [OrderV1.Origin]?
    /// Only orders older than this one.
    package var after: OrderID?
    /// Orders per page, 1 to 100.
    package var limit: Int

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        states: [OrderV1.State]? = nil,
        productId: ProductID? = nil,
        origins: [OrderV1.Origin]? = nil,
        after: OrderID? = nil,
        limit: Int
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.states = states
        self.productId = productId
        self.origins = origins
        self.after = after
        self.limit = limit
    }
}
