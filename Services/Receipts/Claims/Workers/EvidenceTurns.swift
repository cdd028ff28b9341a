import Contracts
import Database
import Delivery
import Domain

/// Tells the claims that wait for Apple's word when the time has come to go on without it, some at a turn.
struct EvidenceTurns: DurableTimer {
    static let key = "evidence"
    /// Claims of a turn, so that the partition answers its heartbeat between them.
    static let claimsPerTurn = 200

    let calls: CallsUnderWay

    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?) {
        guard !inHand.contains(Self.key) else { return ([], nil) }
        let store = ClaimStore(connection: connection)
        guard try store.evidenceDue(at: now, limit: 1).isEmpty else { return ([Self.key], nil) }
        return ([], try store.nextEvidenceDue(after: now))
    }

    /// One turn; the rest is due at once.
    func run(_ key: String, in context: HandlerContext) throws {
        let store = ClaimStore(connection: context.connection)
        let due = try store.evidenceDue(at: context.now, limit: Self.claimsPerTurn)
        for record in due {
            var workflow = ClaimWorkflow(record, in: context)
            workflow.record.claim.isRegistering = try NameWorkflow.isRegistering(record, in: context)
            let event = Claim.Event.evidenceDue(
                waiting: try store.waiters(record),
                isUnanswered: try isUnanswered(workflow, in: context)
            )
            _ = try workflow.apply(event)
        }
        if due.count == Self.claimsPerTurn { context.scheduleWork(at: context.now) }
    }

    /// Whether Apple leaves the question about the purchase unanswered; no matter what else is asked at the time.
    private func isUnanswered(_ workflow: ClaimWorkflow, in context: HandlerContext) throws -> Bool {
        guard case .pressed = workflow.record.claim.evidence,
            let query = try AppleQueryStore(connection: context.connection).query(workflow.queryID)
        else { return false }
        return query.isUnanswered || calls.isHanging(query.id, for: AppleEvidence.silence)
    }
}
