/// The purchase that paid this order has gone to another buyer, and pays an order of theirs.
///
/// - Sent by: receipts
/// - Received by: orders (partition of the order)
package struct OrderReleasedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.order.released.v1"

    package var bundleId: BundleID
    package var environment: Environment
    package var orderId: OrderID
    package var purchaseId: PurchaseID
    /// Which transfer of the purchase it is; the first is 1.
    package var transfer: Int
}
