import Contracts
import Database
import Delivery
import Domain

/// Tells the claims that wait for Apple's word when the time has come to go on without it.
///
/// Each claim is a turn of its own: one that cannot be read or written is tried again later, and keeps none of the
/// others waiting.
struct EvidenceTurns: DurableTimer {
    static let prefix = "evidence/"

    let access: AppleAccess

    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?) {
        let store = ClaimStore(connection: connection)
        let passedOver = inHand.count { $0.hasPrefix(Self.prefix) }
        let due = try store.evidenceDue(at: now, limit: limit + passedOver).map { Self.prefix + $0 }
        let keys = due.filter { !inHand.contains($0) }.prefix(limit)
        return (Array(keys), try store.nextEvidenceDue(after: now))
    }

    func run(_ key: String, in context: HandlerContext) throws {
        let store = ClaimStore(connection: context.connection)
        guard let claim = PurchaseKey(path: key.dropFirst(Self.prefix.count)) else {
            throw StoreError.corrupt("the key of a claim is \(key)")
        }
        guard let record = try store.record(claim), record.claim.state == .waiting else { return }
        var workflow = ClaimWorkflow(record, in: context)
        workflow.record.claim.reading.isRegistering = try NameWorkflow.isRegistering(record, in: context)
        var query: AppleQuery?
        // The question about the purchase alone, while that decides; no matter what else is asked at the time.
        if case .pressed = record.claim.evidence {
            query = try AppleQueryStore(connection: context.connection).known(workflow.queryID)
        }
        let event = Claim.Event.evidenceDue(
            waiting: try store.waiters(record),
            isUnanswered: query.map(isUnanswered) ?? false,
            askingAt: query.map { askingAt($0, in: context) }
        )
        _ = try workflow.apply(event)
    }

    /// When Apple is asked the next time: what is not named waits for the end of a pause.
    private func askingAt(_ query: AppleQuery, in context: HandlerContext) -> Timestamp {
        guard query.urgency != .named else { return query.dueAt }
        let (partition, now) = (context.address.partition, context.now)
        let endpoints = AppleQuery.Kind.claim.endpoints.map(Optional.some)
        let ends = (endpoints + [nil]).compactMap { endpoint in
            access.pauseEnd(of: query.queue, endpoint, partition: partition, now: now)
        }
        return ends.reduce(query.dueAt, max)
    }

    /// Whether Apple leaves it unanswered.
    private func isUnanswered(_ query: AppleQuery) -> Bool {
        query.isUnanswered || access.calls.isHanging(query.id, for: AppleEvidence.silence)
    }
}
