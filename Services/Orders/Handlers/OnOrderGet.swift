import Contracts
import Delivery

/// `counterfoil.order.get.v1`: the order that an id names.
struct OnOrderGet {
    func callAsFunction(
        _ message: Event<OrderGetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<OrderV1> {
        let (request, orders) = (message.data, OrderStore(connection: context.connection))
        let order = try orders.order(request.orderId, in: request.bundleId, of: request.buyerId)
        guard let order else { return .refused(.noSuchOrder) }
        return .reply(order.snapshot)
    }
}
