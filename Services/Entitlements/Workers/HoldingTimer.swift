import Contracts
import Database
import Delivery

/// Looks again at what buyers hold where time alone has changed it: what ended by itself, and what began.
///
/// A durable timer without outside work. If the owner dies before COMMIT, the row is unchanged, and the next owner finds
/// it due. What was computed by a clock that was ahead is due, too.
struct HoldingTimer: OutsideWorker {
    /// Entitlements at a time per partition; each ends at once.
    let concurrency = 32

    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        // A renewal that a restored store has lost comes again: nothing has expired before.
        if let end = try RestoredStore(connection: connection).incomplete(at: now) { return ([], end) }
        let store = ToldHoldingStore(connection: connection)
        let keys = try store.due(at: now, limit: limit + inHand.count).map { try JSONColumn.text($0) }
        let items = keys.filter { !inHand.contains($0) }.prefix(limit)
        return (items.map { WorkItem(key: $0, payload: []) }, try store.nextChange(after: now))
    }

    @concurrent func perform(_ item: WorkItem) async -> [UInt8] { [] }

    func finish(_ item: WorkItem, result: [UInt8], in context: HandlerContext) throws {
        let key: HoldingKey = try JSONColumn.value(of: item.key)
        let told = try ToldHoldingStore(connection: context.connection).told(key)
        guard let told, told.isDue(at: context.now) else { return }
        try HoldingChanges(context).compare(key, with: told, because: nil)
    }
}
