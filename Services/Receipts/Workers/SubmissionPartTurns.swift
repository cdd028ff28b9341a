import Contracts
import Database
import Delivery

/// Sends the parts of long submissions, one a turn, so that the partition answers its heartbeat and its requests between
/// them.
struct SubmissionPartTurns: Sendable {
    static let key = "parts"

    /// The item of a part that waits.
    func due(_ connection: any Connection, excluding inHand: Set<String>) throws -> WorkItem? {
        guard !inHand.contains(Self.key), try !SubmissionPartStore(connection: connection).isEmpty() else {
            return nil
        }
        return WorkItem(key: Self.key, payload: [])
    }

    /// Sends the first part; the next one is due at once.
    func run(in context: inout HandlerContext) throws {
        let store = SubmissionPartStore(connection: context.connection)
        guard let (part, cause) = try store.takeFirst() else { return }
        try context.send(part, cause: cause)
        if try !store.isEmpty() { context.scheduleWork(at: context.now) }
    }
}
