import Contracts
import Database
import Delivery
import Domain
import ReceiptsCore

/// Lets go of proofs whose time is over, a few at a time, so that the partition answers its heartbeat between two rounds.
///
/// An invalid one leaves. Of a verified one Notifications is asked, who knows its verdicts: once all are final the text
/// goes (`OnReceiptSettled`). Where that is not so nobody answers, and it is asked again when its time is over once more.
struct RetentionRound: Sendable {
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
        let moments = try [SubmissionReading.State.invalid, .verified].compactMap { state in
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
        for receipt in invalid {
            try context.forget(receipt.receiptId, of: receipt.bundleId, subject: receipt.subject)
        }
        let aged = try store.aged(.verified, until: retention.end(of: .verified, now: now), limit: limit)
        for receipt in aged {
            try store.touch(receipt.receiptId, now: now)
            try context.send(
                ReceiptAgedV1(bundleId: receipt.bundleId, receiptId: receipt.receiptId),
                subject: receipt.subject
            )
        }
        if !invalid.isEmpty || !aged.isEmpty { context.scheduleWork(at: now) }
    }
}

extension HandlerContext {
    /// Forgets a submission that is no payment, here and where its verdict is.
    mutating func forget(_ receipt: ReceiptID, of bundleID: BundleID, subject: String) throws {
        try SubmissionStore(connection: connection).forget(receipt)
        try send(ReceiptForgottenV1(bundleId: bundleID, receiptId: receipt), subject: subject)
    }
}
