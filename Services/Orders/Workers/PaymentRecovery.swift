import Contracts
import Database
import Delivery

/// Rechecks open orders: asks Receipts to ask Apple about their buyers.
///
/// A durable timer without outside work. If the owner dies during a recheck, the row is unchanged, and the next owner
/// finds it due.
struct PaymentRecovery: OutsideWorker {
    /// Rechecks at a time per partition; more make no difference, as each ends at once.
    let concurrency = 32

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
        if let question = try store.question(about: buyer) { try context.send(question) }
        let soon = now.advanced(by: RecheckSchedule.coalescingMilliseconds)
        for (order, schedule) in try store.orders(of: buyer, dueBy: soon) {
            var later = schedule
            later.recheck(at: now)
            try store.moveOn(order, from: schedule, to: later)
        }
    }
}
