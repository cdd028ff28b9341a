import Contracts
import Database
import Delivery

/// Looks again at what buyers hold where time alone has changed it: what ended by itself, and what began.
///
/// What was computed by a clock that was ahead is due, too.
struct HoldingTimer: DurableTimer {
    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?) {
        // A renewal that a restored store has lost comes again: nothing has expired before.
        if let end = try RestoredStore(connection: connection).incomplete(at: now) { return ([], end) }
        let store = ToldHoldingStore(connection: connection)
        let keys = try store.due(at: now, limit: limit + inHand.count).map { try JSONColumn.text($0) }
        let free = keys.filter { !inHand.contains($0) }.prefix(limit)
        return (Array(free), try store.nextChange(after: now))
    }

    func run(_ text: String, in context: HandlerContext) throws {
        let key: HoldingKey = try JSONColumn.value(of: text)
        let told = try ToldHoldingStore(connection: context.connection).told(key)
        guard let told, told.isDue(at: context.now) else { return }
        try HoldingChanges(context).compare(key, with: told, because: nil)
    }
}
