import Contracts
import Delivery
import ReceiptsCore

/// The way of a server notification: it is read and kept, and its transaction goes to its claim.
struct NotificationRoad: Sendable {
    let reader: any NoticeReader
    let policies: [BundleID: AppPolicy]

    /// Reads and keeps a notification.
    ///
    /// - Returns: The id under which it is kept.
    /// - Throws: `NoticeFailure` when it is not Apple's, or nobody can tell, and nothing is kept; `StoreError`,
    ///   `SendFault`.
    func take(
        _ record: NotificationStore.Record,
        in transaction: inout Transaction
    ) throws -> String {
        var notice: Notice?
        let reading: NoticeReading
        do throws(NoticeFailure) {
            let read = try reader.notice(in: record.signedPayload, now: transaction.now)
            guard policies.keys.contains(where: { $0.rawValue == read.bundleId }) else { throw .unknownApp }
            notice = read
            reading = NoticeReading(read, policies: policies)
        } catch {
            guard case .unreadable(let reason) = error else { throw error }
            reading = NoticeReading(unreadable: reason)
        }
        let identifier = notice?.notificationUUID ?? record.identifier
        try NotificationStore(connection: transaction.connection).save(
            identifier,
            record.signedPayload,
            notice,
            reading,
            request: record.requestID,
            now: transaction.now
        )
        if let facts = reading.facts, let signed = notice?.transaction {
            try send(signed, facts, in: &transaction)
        }
        return identifier
    }

    /// Sends a kept notification's transaction to its claim once more, if it belongs there.
    func redrive(
        _ record: NotificationStore.Record,
        to target: PartitionAddress,
        in transaction: inout Transaction
    ) throws {
        let notice: Notice
        do throws(NoticeFailure) {
            notice = try reader.notice(in: record.signedPayload, now: transaction.now)
        } catch {
            return
        }
        guard let signed = notice.transaction,
            let facts = NoticeReading(notice, policies: policies).facts,
            facts.partition(of: transaction.partitions) == target.partition
        else { return }
        try send(signed, facts, in: &transaction)
    }

    private func send(
        _ signed: SignedTransaction,
        _ facts: TransactionFacts,
        in transaction: inout Transaction
    ) throws {
        try transaction.send(
            TransactionVerifiedV1(transaction: signed),
            to: .receipts,
            shard: Shard(bundleID: facts.bundleId, originalTransactionID: facts.originalTransactionId),
            subject: facts.bundleId.rawValue + "/" + facts.originalTransactionId.rawValue
        )
    }
}
