import Contracts
import Database
import Delivery
import Domain
import ReceiptsCore

/// Deletes old proofs, a few at a time, so that the partition answers its heartbeat between two rounds.
///
/// An invalid one is deleted. About a verified one Notifications is asked, which knows its verdicts: once all are final,
/// the text is dropped (`OnReceiptSettled`); else there is no answer, and it is asked again when the time is over anew.
struct RetentionSweep: Sendable {
    /// The key of its work item.
    static let key = "retention"
    /// Most submissions of a kind that one round looks at.
    static let maximumProofs = 100

    let retention: ProofRetention

    /// The item of a round that is due, or else when the next one will be; nil where nothing is kept.
    func due(
        _ connection: any Connection,
        now: Timestamp,
        excluding inHand: Set<String>
    ) throws -> (item: WorkItem?, next: Timestamp?) {
        guard !inHand.contains(Self.key) else { return (nil, nil) }
        let store = SubmissionStore(connection: connection)
        let moments = try [SubmissionAssessment.State.invalid, .verified].compactMap { state in
            try store.oldest(state).map { retention.due(state, judged: $0) }
        }
        guard let next = moments.min() else { return (nil, nil) }
        return next <= now ? (WorkItem(key: Self.key, payload: []), nil) : (nil, next)
    }

    /// One round; what is left is due at once.
    func run(in context: inout HandlerContext) throws {
        let store = SubmissionStore(connection: context.connection)
        let now = context.now
        let limit = Self.maximumProofs
        let invalid = try store.aged(.invalid, until: retention.end(of: .invalid, now: now), limit: limit)
        for aged in invalid { try context.forget(aged.receiptID, of: aged.bundleID, buyer: aged.buyerID) }
        let verified = try store.aged(.verified, until: retention.end(of: .verified, now: now), limit: limit)
        for aged in verified {
            try store.touch(aged.receiptID, now: now)
            try context.send(
                ReceiptExpiredV1(bundleId: aged.bundleID, receiptId: aged.receiptID),
                subject: PartitionKey.buyer(aged.buyerID, of: aged.bundleID).subject
            )
        }
        if !invalid.isEmpty || !verified.isEmpty { context.scheduleWork(at: now) }
    }
}

extension HandlerContext {
    /// Deletes a submission that is no payment, here and where its verdict is.
    mutating func forget(_ receipt: ReceiptID, of bundleID: BundleID, buyer: BuyerID) throws {
        try SubmissionStore(connection: connection).forget(receipt)
        try send(
            ReceiptPurgedV1(bundleId: bundleID, receiptId: receipt),
            subject: PartitionKey.buyer(buyer, of: bundleID).subject
        )
    }
}
