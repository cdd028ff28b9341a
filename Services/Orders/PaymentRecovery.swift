import Contracts
import Database
import Delivery
import OrdersCore

/// Looks again at open orders, and has Apple asked what it knows of their buyers.
///
/// A durable timer: there is nothing to do outside, since Receipts is the one who asks Apple. An owner that dies with a
/// look in hand leaves the row as it was, and its successor finds it due.
struct PaymentRecovery: OutsideWorker {
    /// Looks in hand at a time per partition; more make no difference, as each is over at once.
    let concurrency = 32

    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        // One more than can be given out, so that the one that comes next is always among them.
        let orders = try WatchedOrders(connection: connection).first(limit + inHand.count + 1)
        let due = orders.filter { $0.dueAt <= now && !inHand.contains($0.id.rawValue) }
        let items = due.prefix(limit).map { WorkItem(key: $0.id.rawValue, payload: []) }
        return (items, orders.first { $0.dueAt > now }?.dueAt)
    }

    @concurrent func perform(_ item: WorkItem) async -> [UInt8] { [] }

    func finish(_ item: WorkItem, result: [UInt8], in context: inout HandlerContext) throws {
        let watched = WatchedOrders(connection: context.connection)
        let now = context.now
        guard let buyer = try watched.buyer(of: OrderID(unchecked: item.key), dueBy: now) else { return }
        try seek(buyer, watched, in: &context)
        let soon = now.advanced(by: OrderWatch.togetherMilliseconds)
        for (order, watch) in try watched.orders(of: buyer, dueBy: soon) {
            var later = watch
            later.look(at: now)
            try watched.moveOn(order, from: watch, to: later)
        }
    }

    /// Asks, if a transaction of the buyer's is known: Apple names an account by its transactions only.
    private func seek(
        _ buyer: WatchedOrders.Buyer,
        _ watched: WatchedOrders,
        in context: inout HandlerContext
    ) throws {
        guard let transactionId = try watched.newestTransaction(of: buyer),
            let since = try watched.oldestIssue(of: buyer)
        else { return }
        let sought = PaymentRecoveryV1(
            bundleId: buyer.bundleID,
            buyerId: buyer.buyerID,
            environment: buyer.environment,
            transactionId: transactionId,
            since: since
        )
        try context.send(sought)
    }
}
