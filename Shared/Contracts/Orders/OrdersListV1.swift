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
    package var states: [OrderV1.State]? = nil
    package var productId: ProductID? = nil
    /// Only orders of one of these origins; nil for all but renewals.
    package var origins: [OrderV1.Origin]? = nil
    /// Only orders older than this one.
    package var after: OrderID? = nil
    /// Orders per page, 1 to 100.
    package var limit: Int
}
