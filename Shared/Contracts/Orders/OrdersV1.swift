/// A page of a buyer's orders, newest first, or those with a reference.
package struct OrdersV1: Codable, Hashable, Sendable {
    /// At most as many as were asked for; perhaps none where others follow.
    package var orders: [OrderV1]
    /// The `after` of the next page; nil on the last one.
    package var next: OrderID?
}
