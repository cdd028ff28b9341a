import Contracts
import Delivery

/// `counterfoil.order.get.v1`: the order that an id names.
struct OnOrderGet {
    func callAsFunction(
        _ message: Event<OrderGetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<OrderV1> {
        let order = try OrderStore(connection: context.connection).order(message.data.orderId)
        guard let order, order.bundleID == message.data.bundleId else { return .refused(.noSuchOrder) }
        return .reply(order.snapshot)
    }
}
