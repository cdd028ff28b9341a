import Contracts
import Database
import Delivery

/// Looks up the payments of unpaid orders: asks Receipts to ask Apple about their buyers, and closes open ones that
/// nobody pays.
struct PaymentLookupTimer: DurableTimer {
    let expiry: OrderExpiry

    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?) {
        let (store, times) = (PaymentLookupStore(connection: connection), expiry.due(at: now))
        let orders = try store.due(times, limit: limit + inHand.count)
        let keys = orders.map(\.rawValue).filter { !inHand.contains($0) }.prefix(limit)
        return (Array(keys), try store.next(times))
    }

    func run(_ key: String, in context: HandlerContext) throws {
        let store = PaymentLookupStore(connection: context.connection)
        let (now, times) = (context.now, expiry.due(at: context.now))
        guard let buyer = try store.buyer(of: OrderID(unchecked: key), times) else { return }
        let orders = try store.orders(of: buyer, times)
        let toLookUp = orders.filter { $0.schedule.dueAt != nil }
        if !toLookUp.isEmpty, let question = try store.question(about: buyer, now: now) {
            try context.send(question)
        }
        for order in toLookUp {
            var later = order.schedule
            later.lookUp(at: now)
            let dueAt = expiry.dueAt(later, order.wait)
            try store.moveOn(order.id, from: order.schedule, to: later, dueAt: dueAt)
        }
        for order in orders where order.schedule.dueAt == nil {
            let (schedule, wait) = (order.schedule, order.wait)
            if expiry.isDue(schedule, wait, at: now) {
                try store.expire(order.id, at: now)
            } else {
                // Its time was stored under another setting of the age, or by another clock.
                let dueAt = expiry.dueAt(schedule, wait)
                try store.moveOn(order.id, from: schedule, to: schedule, dueAt: dueAt)
            }
        }
    }
}
