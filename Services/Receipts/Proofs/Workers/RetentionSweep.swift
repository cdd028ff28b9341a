import Contracts
import Database
import Delivery
import Domain

/// Deletes old proofs, and old questions about Apple's orders, a few at a time, so that the partition answers its
/// heartbeat between rounds.
///
/// An invalid one is deleted. For a verified one Notifications is asked: once all verdicts are final, the text is
/// dropped (`OnReceiptFinished`); otherwise it does not answer, and is asked again after another retention period.
/// Where Apple has named no transaction of an order, it is forgotten that somebody has asked.
struct RetentionSweep: DurableTimer {
    static let key = "retention"
    static let maximumProofs = 100
    static let maximumQuestions = 100

    let retention: ProofRetention

    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?) {
        guard !inHand.contains(Self.key) else { return ([], nil) }
        let store = SubmissionStore(connection: connection)
        var moments = try [SubmissionAssessment.State.invalid, .verified].compactMap { state in
            try store.oldest(state)?.advanced(by: retention.milliseconds(state))
        }
        if let asked = try AppleOrderStore(connection: connection).oldestWithoutTransaction() {
            moments.append(asked.advanced(by: AppleOrderQuestion.retention))
        }
        guard let next = moments.min() else { return ([], nil) }
        return next <= now ? ([Self.key], nil) : ([], next)
    }

    /// One round; the rest is due at once.
    func run(_ key: String, in context: HandlerContext) throws {
        let store = SubmissionStore(connection: context.connection)
        let now = context.now
        func due(_ state: SubmissionAssessment.State) throws(StoreError) -> [SubmissionStore.Aged] {
            let end = now.advanced(by: -retention.milliseconds(state))
            return try store.aged(state, until: end, limit: Self.maximumProofs)
        }
        let invalid = try due(.invalid)
        for aged in invalid {
            try InvalidSubmissions(context).purge(aged.receiptID, of: aged.bundleID, buyer: aged.buyerID)
        }
        let verified = try due(.verified)
        for aged in verified {
            try store.touch(aged.receiptID, now: now)
            try context.send(
                ReceiptExpiredV1(bundleId: aged.bundleID, receiptId: aged.receiptID),
                subject: PartitionKey.buyer(aged.buyerID, of: aged.bundleID).subject
            )
        }
        let forgotten = try AppleOrderStore(connection: context.connection)
            .forget(askedBy: now.advanced(by: -AppleOrderQuestion.retention), limit: Self.maximumQuestions)
        if !invalid.isEmpty || !verified.isEmpty || forgotten > 0 { context.scheduleWork(at: now) }
    }
}
