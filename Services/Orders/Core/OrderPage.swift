import Contracts

/// A page of a buyer's orders, newest first.
struct OrderPage: Equatable, Sendable {
    /// Most orders of a page, so that all their metadata fits.
    static let limits = 1...100

    let request: OrdersListV1

    /// The requested page; an order `after` which it begins need not exist.
    init(_ request: OrdersListV1) throws(RequestRefusal) {
        guard Self.limits.contains(request.limit) else { throw .pageLimit }
        self.request = request
    }

    /// How many orders are read: one more shows that there is another page.
    var rows: Int { request.limit + 1 }

    /// The reply, made of up to `rows` orders.
    func answer(_ found: [Order]) -> OrdersV1 {
        let orders = found.prefix(request.limit).map(\.snapshot)
        return OrdersV1(orders: orders, next: found.count > request.limit ? orders.last?.orderId : nil)
    }
}
