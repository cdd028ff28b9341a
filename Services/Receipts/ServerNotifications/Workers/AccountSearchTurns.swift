import Contracts
import Database
import Delivery

/// Goes on with the searches for the buyers of an account, a page a turn, so that the partition answers its heartbeat
/// and its requests between the pages.
struct AccountSearchTurns: DurableTimer {
    static let key = "accounts"
    /// Claims of a page: a few milliseconds of reading.
    static let claimsPerTurn = 2_000

    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?) {
        let isDue = try !inHand.contains(Self.key) && !AccountSearchStore(connection: connection).isEmpty()
        return (isDue ? [Self.key] : [], nil)
    }

    /// Reads one page; the next one is due at once.
    func run(_ key: String, in context: HandlerContext) throws {
        let store = AccountSearchStore(connection: context.connection)
        guard let search = try store.first() else { return }
        try AccountSearches(context).advance(search, claimsPerTurn: Self.claimsPerTurn)
        if try !store.isEmpty() { context.scheduleWork(at: context.now) }
    }
}
