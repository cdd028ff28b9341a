/// Asks for an order.
///
/// - Sent by: gateway, operator
/// - Received by: orders
package struct OrderGetV1: RequestContract, Hashable {
    package typealias Reply = OrderV1

    package static let type: EventType = "counterfoil.order.get.v1"

    package var bundleId: BundleID
    package var orderId: OrderID

    package init(bundleId: BundleID, orderId: OrderID) {
        self.bundleId = bundleId
        self.orderId = orderId
    }
}

extension OrderGetV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        orderId = try json.member("orderId", value?.orderId)
        try json.close()
    }
}
