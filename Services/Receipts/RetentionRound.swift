import Contracts
import Database
import Delivery
import ReceiptsCore

/// Lets go of the text of proofs whose time is over, a few at a time, so that the partition answers its heartbeat
/// between two of them.
struct RetentionRound: Sendable {
    /// The key of its work item.
    static let key = "retention"
    /// Most submissions that one round lets go of.
    static let maximumProofs = 100
    /// Bytes of proofs that one round reads, or one proof.
    static let maximumBytes = 4 << 20

    let retention: ProofRetention
    let road: SubmissionRoad

    /// The item of a round that is due, or else when the next one will be; nil where nothing is kept.
    func due(
        _ connection: any Connection,
        now: Timestamp,
        excluding inHand: Set<String>
    ) throws -> (item: WorkItem?, next: Timestamp?) {
        guard !inHand.contains(Self.key) else { return (nil, nil) }
        let store = SubmissionStore(connection: connection)
        let moments = try [SubmissionReading.State.invalid, .verified].compactMap { state in
            try store.oldest(state).map { retention.due(state, judged: $0) }
        }
        guard let next = moments.min() else { return (nil, nil) }
        return next <= now ? (WorkItem(key: Self.key, payload: []), nil) : (nil, next)
    }

    /// One round; what is left is due at once.
    func run(in transaction: inout Transaction) throws {
        let store = SubmissionStore(connection: transaction.connection)
        let now = transaction.now
        let forgotten = try store.dropInvalid(
            until: retention.end(of: .invalid, now: now),
            limit: Self.maximumProofs
        )
        let aged = try store.verified(
            until: retention.end(of: .verified, now: now),
            limit: Self.maximumProofs,
            bytes: Self.maximumBytes
        )
        for record in aged { try letGo(of: record, in: store, now: now) }
        if forgotten > 0 || !aged.isEmpty { transaction.scheduleWork(at: now) }
    }

    /// Keeps the facts in the place of the text; what cannot be read now is left for another time.
    private func letGo(of record: SubmissionRecord, in store: SubmissionStore, now: Timestamp) throws {
        let reading = road.read(record, now: now)
        guard reading.knowledge == .whole else { return try store.touch(record.receiptID, now: now) }
        let facts = ProofContents(transactions: reading.items.map(\.signed))
        try store.dropText(of: record, record.findings ?? facts)
    }
}
