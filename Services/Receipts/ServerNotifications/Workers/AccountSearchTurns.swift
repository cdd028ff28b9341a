import Contracts
import Database
import Delivery

/// Goes on with the searches for the buyers of an account, a page a turn, so that the partition answers its heartbeat and
/// its requests between the pages.
struct AccountSearchTurns: Sendable {
    static let key = "accounts"
    /// Claims of a page: a few milliseconds of reading.
    static let claimsPerTurn = 2_000

    /// The item of a search that is not over.
    func due(_ connection: any Connection, excluding inHand: Set<String>) throws -> WorkItem? {
        guard !inHand.contains(Self.key), try !AccountSearchStore(connection: connection).isEmpty() else {
            return nil
        }
        return WorkItem(key: Self.key, payload: [])
    }

    /// Reads one page; the next one is due at once.
    func run(in context: HandlerContext) throws {
        let store = AccountSearchStore(connection: context.connection)
        guard let search = try store.first() else { return }
        try AccountSearches(context).advance(search, claimsPerTurn: Self.claimsPerTurn)
        if try !store.isEmpty() { context.scheduleWork(at: context.now) }
    }
}
