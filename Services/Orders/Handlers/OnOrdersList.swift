import Contracts
import Delivery

/// `counterfoil.orders.list.v1`: a page of a buyer's orders.
struct OnOrdersList {
    func callAsFunction(
        _ message: Event<OrdersListV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<OrdersV1> {
        let page = try OrderPage(message.data)
        let (found, last) = try OrderListStore(connection: context.connection).orders(of: page)
        return .reply(page.answer(found, last: last))
    }
}
