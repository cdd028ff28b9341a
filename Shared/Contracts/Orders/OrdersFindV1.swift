/// Asks a partition for the orders with a reference, which each buyer may use once.
///
/// - Sent by: gateway
/// - Received by: orders
package struct OrdersFindV1: RequestContract, Hashable {
    package typealias Reply = OrdersV1

    package static let type: EventType = "counterfoil.orders.find.v1"

    package var bundleId: BundleID
    package var reference: String
}
