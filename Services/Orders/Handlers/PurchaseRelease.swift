import Contracts
import Delivery

/// The effects of a transfer on the order that loses its purchase.
struct PurchaseRelease {
    /// Which transfer of the purchase it is; the first is 1.
    let transfer: Int
    /// The message that tells of it.
    let entry: Trace.Entry

    /// Stores the order as it is without its purchase, unless that has come back by a later transfer.
    ///
    /// The messages of the payment, which the row forgets, are recorded.
    func write(_ paid: Order, in context: inout HandlerContext) throws {
        context.record(entry, of: paid.id.rawValue)
        guard case .paid(let purchase, _) = paid.payment else { return }
        var order = paid
        switch try order.apply(.release(purchase.id, by: transfer), at: context.now) {
        case .repeated: return
        case .applied: break
        }
        for earlier in try OrderTrace(connection: context.connection).payment(of: order.id) {
            context.record(earlier, of: order.id.rawValue)
        }
        let dueAt = try PaymentStore(connection: context.connection).release(order, at: context.now)
        if let dueAt { context.scheduleWork(at: dueAt) }
    }
}
