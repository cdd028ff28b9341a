import Contracts
import Delivery

/// `counterfoil.orders.find.v1`: the orders with a reference, of any buyer.
struct OnOrdersFind {
    func callAsFunction(
        _ message: Event<OrdersFindV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<OrdersV1> {
        let orders = try OrderStore(connection: context.connection)
            .orders(reference: message.data.reference, of: message.data.bundleId)
        return .reply(OrdersV1(orders: orders.map(\.snapshot), next: nil))
    }
}
