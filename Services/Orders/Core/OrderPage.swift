import Contracts
import Domain

/// A page of a buyer's orders, newest first.
struct OrderPage: Equatable, Sendable {
    /// Orders of a buyer that are looked through for one page, whatever they are.
    static let examined = 1_000

    let request: OrdersListV1

    /// The requested page; an order `after` which it begins need not exist.
    init(_ request: OrdersListV1) throws(RequestRefusal) {
        guard Limits.ordersOfPage.contains(request.limit) else { throw .pageLimit }
        self.request = request
    }

    /// How many orders are read: one more shows that there is another page.
    var rows: Int { request.limit + 1 }

    /// Whether only open orders are listed: they are few, so that none needs to be looked for among others.
    var isOfOpenOrders: Bool { request.states.map { OrderV1.State.open.isSuperset(of: $0) } ?? false }

    /// The origins of the orders of the page: renewals only if they are asked for.
    var origins: [OrderV1.Origin] { request.origins ?? OrderV1.Origin.listed }

    /// The reply, made of up to `rows` orders; `last` is the last one examined, if others follow it.
    func answer(_ found: [Order], last: OrderID?) -> OrdersV1 {
        let orders = found.prefix(request.limit).map(\.snapshot)
        return OrdersV1(orders: orders, next: found.count > request.limit ? orders.last?.orderId : last)
    }
}
