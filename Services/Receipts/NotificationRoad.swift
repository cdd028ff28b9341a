import Contracts
import Delivery
import Domain
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
        in context: inout HandlerContext
    ) throws -> String {
        var notice: Notice?
        let reading: NoticeReading
        do throws(NoticeFailure) {
            let judged = try judge(record.signedPayload, now: context.now)
            (notice, reading) = (judged.notice, judged.reading)
        } catch {
            guard case .unreadable(let reason) = error else { throw error }
            reading = NoticeReading(unreadable: reason)
        }
        let identifier = notice?.notificationUUID ?? record.identifier
        try NotificationStore(connection: context.connection).save(
            identifier,
            record.signedPayload,
            notice,
            reading,
            request: record.requestID,
            now: context.now
        )
        if let facts = reading.facts, let signed = notice?.transaction {
            try context.sendToClaim(signed, facts)
        }
        return identifier
    }

    /// The product that a kept notification is about; none where nobody can tell.
    func products(of record: NotificationStore.Record, now: Timestamp) -> [ProductID] {
        do {
            return try judge(record.signedPayload, now: now).reading.facts.map { [$0.productId] } ?? []
        } catch {
            return []
        }
    }

    /// Sends a kept notification's transaction to its claim once more, if it belongs there.
    func redrive(
        _ record: NotificationStore.Record,
        to target: PartitionAddress,
        in context: inout HandlerContext
    ) throws {
        let judged: (notice: Notice, reading: NoticeReading)
        do throws(NoticeFailure) {
            judged = try judge(record.signedPayload, now: context.now)
        } catch {
            return
        }
        guard let signed = judged.notice.transaction, let facts = judged.reading.facts,
            facts.chainKey.shard.partition(of: context.partitions) == target.partition
        else { return }
        try context.sendToClaim(signed, facts)
    }

    /// What Apple says, and what is done about it by the policy of the app that it is about.
    private func judge(
        _ signedPayload: String,
        now: Timestamp
    ) throws(NoticeFailure) -> (notice: Notice, reading: NoticeReading) {
        let notice = try reader.notice(in: signedPayload, now: now)
        guard let app = notice.bundleId.flatMap({ BundleID(rawValue: $0) }), let policy = policies[app] else {
            throw .unknownApp
        }
        return (notice, NoticeReading(notice, policy: policy))
    }
}
