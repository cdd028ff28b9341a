import Contracts
import Delivery

/// `counterfoil.order.get.v1`: the order that an id or a reference names.
struct OnOrderGet {
    func callAsFunction(
        _ message: Event<OrderGetV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<OrderV1> {
        let orders = OrderStore(connection: context.connection)
        let bundle = message.data.bundleId
        let order: Order?
        switch (message.data.orderId, message.data.reference) {
        case (.some(let id), _): order = try orders.order(id)
        case (.none, .some(let reference)): order = try orders.order(reference: reference, of: bundle)
        case (.none, .none): return .refused(.noOrderNamed)
        }
        guard let order, order.bundleID == bundle else { return .refused(.noSuchOrder) }
        return .reply(order.snapshot)
    }
}
