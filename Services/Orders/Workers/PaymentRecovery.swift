import Contracts
import Database
import Delivery

/// Rechecks unpaid orders: asks Receipts to ask Apple about their buyers.
///
/// Closes open ones that nobody pays.
///
/// A durable timer without outside work. If the owner dies during a recheck, the row is unchanged, and the next owner
/// finds it due.
struct PaymentRecovery: OutsideWorker {
    /// Rechecks at a time per partition; more make no difference, as each ends at once.
    let concurrency = 32

    let expiry: OrderExpiry

    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        // One more than can be given out, so that the next one is always included.
        let orders = try RecheckStore(connection: connection).first(limit + inHand.count + 1)
        let due = orders.filter { $0.dueAt <= now && !inHand.contains($0.id.rawValue) }
        let items = due.prefix(limit).map { WorkItem(key: $0.id.rawValue, payload: []) }
        return (items, orders.first { $0.dueAt > now }?.dueAt)
    }

    @concurrent func perform(_ item: WorkItem) async -> [UInt8] { [] }

    func finish(_ item: WorkItem, result: [UInt8], in context: inout HandlerContext) throws {
        let store = RecheckStore(connection: context.connection)
        let now = context.now
        guard let buyer = try store.buyer(of: OrderID(unchecked: item.key), dueBy: now) else { return }
        let soon = now.advanced(by: RecheckSchedule.coalescingMilliseconds)
        let orders = try store.orders(of: buyer, dueBy: soon)
        let rechecked = orders.filter { $0.schedule.dueAt != nil }
        if !rechecked.isEmpty, let question = try store.question(about: buyer) { try context.send(question) }
        for order in rechecked {
            var later = order.schedule
            later.recheck(at: now)
            let dueAt = expiry.dueAt(later, isIssued: order.isIssued)
            try store.moveOn(order.id, from: order.schedule, to: later, dueAt: dueAt)
        }
        for order in orders where order.schedule.dueAt == nil {
            let (schedule, isIssued) = (order.schedule, order.isIssued)
            if expiry.isDue(schedule, isIssued: isIssued, at: now) {
                try store.expire(order.id, at: now)
            } else {
                // Its time was stored under another setting of the age.
                let dueAt = expiry.dueAt(schedule, isIssued: isIssued)
                try store.moveOn(order.id, from: schedule, to: schedule, dueAt: dueAt)
            }
        }
    }
}
