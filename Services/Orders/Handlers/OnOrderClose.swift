import Contracts
import Delivery

/// `counterfoil.order.close.v1`: no payment is expected any more.
struct OnOrderClose {
    func callAsFunction(
        _ message: Event<OrderCloseV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<OrderV1> {
        let request = message.data
        let orders = OrderStore(connection: context.connection)
        let named = try orders.order(request.orderId, in: request.bundleId, of: request.buyerId)
        guard var order = named else { return .refused(.noSuchOrder) }
        let transition: Transition
        do throws(OrderRefusal) {
            transition = try order.apply(.close(request.reason), at: context.now)
        } catch {
            return .refused(.orderIsPaid)
        }
        if transition == .applied {
            try orders.close(order, for: request.reason, Trace.Entry(message, at: context.now))
        }
        return .reply(order.snapshot)
    }
}
