import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.receipt.retry.v1`: what waits for an operator is judged again.
struct OnReceiptRetry {
    /// Most submissions, and most orphans, that one request sends on their way; the rest are the next request's.
    static let maximumPerRequest = 500

    let road: SubmissionRoad

    func callAsFunction(
        _ message: Event<ReceiptRetryV1>,
        in transaction: inout Transaction
    ) throws -> RequestOutcome<ReceiptRetriedV1> {
        if let receipt = message.data.receiptId { return try retry(receipt, in: &transaction) }
        let submissions = try SubmissionStore(connection: transaction.connection)
            .parked(limit: Self.maximumPerRequest)
        for submission in submissions { try retry(submission, in: &transaction) }
        let orphans = try ClaimStore(connection: transaction.connection).orphans(
            limit: Self.maximumPerRequest
        )
        for orphan in orphans {
            var claim = ClaimRoad(orphan)
            _ = try claim.apply(.retried, in: &transaction)
        }
        return .reply(ReceiptRetriedV1(submissions: submissions.count, transactions: orphans.count))
    }

    private func retry(
        _ receipt: ReceiptID,
        in transaction: inout Transaction
    ) throws -> RequestOutcome<ReceiptRetriedV1> {
        guard let record = try SubmissionStore(connection: transaction.connection).record(receipt) else {
            return .refused(RequestRefusal(.notFound, "no such receipt", field: "receiptId"))
        }
        try retry(record, in: &transaction)
        return .reply(ReceiptRetriedV1(submissions: 1, transactions: 0))
    }

    private func retry(_ record: SubmissionRecord, in transaction: inout Transaction) throws {
        let reading = road.read(record, now: transaction.now)
        try SubmissionStore(connection: transaction.connection)
            .judge(record.receiptID, reading, now: transaction.now)
        try road.send(reading, of: record, in: &transaction)
    }
}
