/// Asks for an order.
///
/// - Sent by: gateway, operator
/// - Received by: orders
package struct OrderGetV1: RequestContract, Hashable {
    package typealias Reply = OrderV1

    package static let type: EventType = "counterfoil.order.get.v1"

    package var bundleId: BundleID
    /// Nil to search by `reference`.
    package var orderId: OrderID?
    package var reference: String?

    package init(bundleId: BundleID, orderId: OrderID? = nil, reference: String? = nil) {
        self.bundleId = bundleId
        self.orderId = orderId
        self.reference = reference
    }
}

extension OrderGetV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        orderId = try json.optional("orderId", value?.orderId)
        reference = try json.optional("reference", value?.reference)
        try json.close()
    }
}
