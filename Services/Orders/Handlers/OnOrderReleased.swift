import Contracts
import Delivery

/// `counterfoil.order.released.v1`: the purchase that paid an order is another buyer's now.
struct OnOrderReleased {
    /// Takes the purchase away from the order; changes nothing of one that does not have it, or has it back already.
    func callAsFunction(
        _ message: Event<OrderReleasedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let released = message.data
        let entry = Trace.Entry(message, at: context.now)
        let order = try OrderStore(connection: context.connection).order(released.orderId)
        if let order, try hasPurchase(order, released, in: context) {
            try Payments(context).release(order, by: released.transfer, entry)
        } else {
            context.trace(entry, of: released.orderId.rawValue)
        }
        return .applied
    }

    /// Whether the purchase pays the order, which may have got it under another key.
    private func hasPurchase(
        _ order: Order,
        _ released: OrderReleasedV1,
        in context: HandlerContext
    ) throws -> Bool {
        guard case .paid = order.payment, order.bundleID == released.bundleId,
            order.content.environment == released.environment
        else { return false }
        return try PaymentStore(connection: context.connection).facts(of: order).mayHave(released.purchaseId)
    }
}
