/// The buyer will probably not pay; a later payment reopens the order.
///
/// - Sent by: gateway
/// - Received by: orders
package struct OrderCloseV1: RequestContract, Hashable {
    package typealias Reply = OrderV1

    package static let type: EventType = "counterfoil.order.close.v1"

    package var bundleId: BundleID
    package var orderId: OrderID
    package var reason: OrderCloseReason
    /// Whose order it must be; nil: of any buyer.
    package var buyerId: BuyerID? = nil
}
