import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.receipt.retry.v1`: what waits for an operator is judged again.
struct OnReceiptRetry {
    /// Most submissions, and most orphans, that one request sends on their way; the rest are the next request's.
    static let maximumPerRequest = 100
    /// Bytes of proofs that one request reads, or one proof: reading must not outlast the heartbeat.
    static let maximumBytesPerRequest = 4 << 20

    let road: SubmissionRoad
    let notifications: NotificationRoad

    func callAsFunction(
        _ message: Event<ReceiptRetryV1>,
        in transaction: inout Transaction
    ) throws -> RequestOutcome<ReceiptRetriedV1> {
        if let receipt = message.data.receiptId { return try retry(receipt, message, in: &transaction) }
        let submissions = try SubmissionStore(connection: transaction.connection)
            .parked(limit: Self.maximumPerRequest, bytes: Self.maximumBytesPerRequest)
        for submission in submissions { try retry(submission, message, in: &transaction) }
        let orphans = try ClaimStore(connection: transaction.connection).orphans(
            limit: Self.maximumPerRequest
        )
        for orphan in orphans {
            transaction.keep(message, of: orphan.key.purchaseID.rawValue)
            var claim = ClaimRoad(orphan)
            _ = try claim.apply(.retried, in: &transaction)
        }
        let parked = try NotificationStore(connection: transaction.connection)
            .parked(limit: Self.maximumPerRequest)
        for notification in parked { try retry(notification, in: &transaction) }
        return .reply(
            ReceiptRetriedV1(
                submissions: submissions.count,
                transactions: orphans.count,
                notifications: parked.count
            )
        )
    }

    /// One that nobody can judge now, because a root is not trusted any more, stays parked.
    private func retry(
        _ notification: NotificationStore.Record,
        in transaction: inout Transaction
    ) throws {
        do {
            _ = try notifications.take(notification, in: &transaction)
        } catch is NoticeFailure {
            try NotificationStore(connection: transaction.connection)
                .touch(notification.identifier, now: transaction.now)
        }
    }

    private func retry(
        _ receipt: ReceiptID,
        _ message: Event<ReceiptRetryV1>,
        in transaction: inout Transaction
    ) throws -> RequestOutcome<ReceiptRetriedV1> {
        guard let record = try SubmissionStore(connection: transaction.connection).record(receipt) else {
            return .refused(RequestRefusal(.notFound, "no such receipt", field: "receiptId"))
        }
        try retry(record, message, in: &transaction)
        return .reply(ReceiptRetriedV1(submissions: 1, transactions: 0, notifications: 0))
    }

    private func retry(
        _ record: SubmissionRecord,
        _ message: Event<ReceiptRetryV1>,
        in transaction: inout Transaction
    ) throws {
        transaction.keep(message, of: record.receiptID.rawValue)
        var record = record
        // What Apple could not tell is asked again; what is no payment stays none.
        if record.failure?.verdict == .parked { record.failure = nil }
        if let findings = record.findings, findings.unreadable > 0 { record.findings = nil }
        let reading = road.read(record, now: transaction.now)
        try SubmissionStore(connection: transaction.connection)
            .judge(record.receiptID, reading, now: transaction.now)
        try road.follow(reading, of: record, isNew: true, in: &transaction)
    }
}
