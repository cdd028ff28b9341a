/// Asks for an order.
///
/// - Sent by: gateway, operator
/// - Received by: orders
package struct OrderGetV1: RequestContract, Hashable, DirectlyCoded {
    package typealias Reply = OrderV1

    package static let type: EventType = "counterfoil.order.get.v1"

    package var bundleId: BundleID
    package var orderId: OrderID
    /// Whose order it must be; nil: of any buyer.
    package var buyerId: BuyerID? = nil
}
