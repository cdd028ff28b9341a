import Contracts
import Delivery
import ReceiptsCore

/// The way of a server notification: it is read and kept, and its transaction goes to its claim.
struct NotificationWorkflow: Sendable {
    let reader: any ServerNotificationReader
    let policies: [BundleID: AppPolicy]

    /// Reads and keeps a notification.
    ///
    /// - Returns: The id under which it is kept.
    /// - Throws: `NotificationFailure` when it is not Apple's, or nobody can tell, and nothing is kept; `StoreError`,
    ///   `SendFault`.
    func take(
        _ record: NotificationStore.Record,
        in context: inout HandlerContext
    ) throws -> String {
        var notification: ServerNotification?
        let reading: NotificationAssessment
        do throws(NotificationFailure) {
            let judged = try judge(record.signedPayload, now: context.now)
            (notification, reading) = (judged.notification, judged.reading)
        } catch {
            guard case .unreadable(let reason) = error else { throw error }
            reading = NotificationAssessment(unreadable: reason)
        }
        let identifier = notification?.notificationUUID ?? record.identifier
        try NotificationStore(connection: context.connection).save(
            identifier,
            record.signedPayload,
            notification,
            reading,
            request: record.requestID,
            now: context.now
        )
        if let facts = reading.facts, let signed = notification?.transaction {
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
        let judged: (notification: ServerNotification, reading: NotificationAssessment)
        do throws(NotificationFailure) {
            judged = try judge(record.signedPayload, now: context.now)
        } catch {
            return
        }
        guard let signed = judged.notification.transaction, let facts = judged.reading.facts,
            facts.claimShard.partition(of: context.partitions) == target.partition
        else { return }
        try context.sendToClaim(signed, facts)
    }

    /// What Apple says, and what is done about it by the policy of the app that it is about.
    private func judge(
        _ signedPayload: String,
        now: Timestamp
    ) throws(NotificationFailure) -> (notification: ServerNotification, reading: NotificationAssessment) {
        let notification = try reader.notification(in: signedPayload, now: now)
        guard let app = notification.bundleId.flatMap({ BundleID(rawValue: $0) }), let policy = policies[app] else {
            throw .unknownApp
        }
        return (notification, NotificationAssessment(notification, policy: policy))
    }
}
