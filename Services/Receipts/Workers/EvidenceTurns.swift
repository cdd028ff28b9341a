import Contracts
import Database
import Delivery
import Domain

/// Tells the claims that wait for Apple's word when the time has come to go on without it, some at a turn.
struct EvidenceTurns: Sendable {
    static let key = "evidence"
    /// Claims of a turn, so that the partition answers its heartbeat between them.
    static let claimsPerTurn = 200

    /// The item of due claims, or the time of the next one; nil while none waits.
    func due(
        _ connection: any Connection,
        now: Timestamp,
        excluding inHand: Set<String>
    ) throws -> (item: WorkItem?, next: Timestamp?) {
        guard !inHand.contains(Self.key),
            let next = try ClaimStore(connection: connection).nextEvidenceDue(at: now)
        else { return (nil, nil) }
        let isDue = AppleEvidence.due(at: now).contains(next)
        return isDue ? (WorkItem(key: Self.key, payload: []), nil) : (nil, next)
    }

    /// One turn; the rest is due at once.
    func run(in context: inout HandlerContext) throws {
        let store = ClaimStore(connection: context.connection)
        let due = try store.evidenceDue(at: context.now, limit: Self.claimsPerTurn)
        for record in due {
            var workflow = ClaimWorkflow(record)
            _ = try workflow.apply(.evidenceDue(waiting: try store.waiters(record)), in: &context)
        }
        if due.count == Self.claimsPerTurn { context.scheduleWork(at: context.now) }
    }
}
