/// A phone hands in steps of an order; those that are known, and those for which there is no room, are left out.
///
/// - Sent by: gateway
/// - Received by: orders
package struct OrderLogV1: RequestContract, Hashable {
    /// The order's log, in the order in which the steps came.
    package typealias Reply = [StepLogEntry]

    package static let type: EventType = "counterfoil.order.log.v1"

    package var bundleId: BundleID
    package var orderId: OrderID
    package var entries: [StepLogEntry]
    /// Whose order it must be; nil for anybody's.
    package var buyerId: BuyerID? = nil
}
