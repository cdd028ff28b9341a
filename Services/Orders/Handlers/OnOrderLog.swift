import Contracts
import Delivery

/// `counterfoil.order.log.v1`: steps of a phone are kept with the order.
struct OnOrderLog {
    /// Replies with the log as it is then; nothing else of the order is read or changed by it.
    func callAsFunction(
        _ message: Event<OrderLogV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<[StepLogEntry]> {
        let request = message.data
        try StepLog.check(request.entries)
        let orders = OrderStore(connection: context.connection)
        let named = try orders.order(request.orderId, in: request.bundleId, of: request.buyerId)
        guard let order = named else { return .refused(.noSuchOrder) }
        let store = StepLogStore(connection: context.connection)
        var log = try store.log(of: order.id)
        let added = log.add(request.entries)
        try store.add(added, of: log, to: order.id)
        return .reply(log.entries)
    }
}
