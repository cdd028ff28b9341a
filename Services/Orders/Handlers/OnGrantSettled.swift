import Contracts
import Delivery
import OrdersCore

/// `counterfoil.grant.settled.v1`: the ledger holds what the purchase says.
struct OnGrantSettled {
    /// Brings the order to the ledger's outcome; an outcome for a payment that is not known here is parked.
    ///
    /// - Throws: `StoreError`.
    func callAsFunction(
        _ message: Event<GrantSettledV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let settled = message.data
        let orders = OrderStore(connection: context.connection)
        guard var order = try orders.order(settled.orderId), order.bundleID == settled.bundleId else {
            return .parked("unknownOrder")
        }
        let wasSettled = order.fulfilment != .none
        let effect: Effect
        do throws(OrderRefusal) {
            effect = try order.apply(.settle(settled.purchaseId, settled.outcome), at: context.now)
        } catch {
            return .parked(error.rawValue)
        }
        switch effect {
        case .applied:
            let trace = OrderTrace(connection: context.connection)
            if wasSettled, let earlier = try trace.settlement(of: order.id) {
                context.record(earlier, of: order.id.rawValue)
            }
            try orders.settle(order, Step(message, in: context))
        case .repeated:
            context.record(message, of: order.id.rawValue)
        }
        return .applied
    }
}
