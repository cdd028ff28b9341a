import Contracts
import Delivery
import ReceiptsCore

/// The way of a submission: its proof is read, the waiting phone is told what it holds, and every transaction goes to
/// its claim in the partition of its original transaction id.
struct SubmissionRoad: Sendable {
    let reader: any ProofReader
    let policies: [BundleID: AppPolicy]

    func read(_ record: SubmissionRecord, now: Timestamp) -> SubmissionReading {
        do {
            let contents = try reader.contents(of: record.proof, now: now)
            return SubmissionReading(
                contents.transactions,
                unreadable: contents.unreadable,
                from: record.buyerID,
                of: record.bundleID,
                policy: policies[record.bundleID]
            )
        } catch {
            return SubmissionReading(error)
        }
    }

    func send(
        _ reading: SubmissionReading,
        of record: SubmissionRecord,
        in transaction: inout Transaction
    ) throws {
        for accepted in reading.accepted(record.submission, of: record.bundleID) {
            try transaction.send(
                accepted,
                to: .notifications,
                shard: record.receiptID.shard,
                subject: record.subject
            )
        }
        for item in reading.admitted { try send(item, of: record, in: &transaction) }
    }

    func send(
        _ item: SubmissionReading.Item,
        of record: SubmissionRecord,
        in transaction: inout Transaction
    ) throws {
        try transaction.sendToClaim(item.signed, item.facts, for: record.submission)
    }
}

extension Transaction {
    /// Sends a transaction to its claim: on behalf of a submission, or because Apple told us.
    mutating func sendToClaim(
        _ signed: SignedTransaction,
        _ facts: TransactionFacts,
        for submission: Submission? = nil
    ) throws {
        try send(
            TransactionVerifiedV1(transaction: signed, submission: submission),
            to: .receipts,
            shard: facts.claimShard,
            subject: facts.bundleId.rawValue + "/" + facts.originalTransactionId.rawValue
        )
    }
}

extension TransactionFacts {
    /// The shard in whose partition the claim of the transaction is.
    var claimShard: Shard { Shard(bundleID: bundleId, originalTransactionID: originalTransactionId) }
}
