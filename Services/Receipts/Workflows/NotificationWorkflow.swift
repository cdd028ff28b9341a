import Contracts
import Delivery
import Domain
import ReceiptsCore

/// Reads and stores a server notification, and sends its transaction to its claim.
struct NotificationWorkflow: Sendable {
    let reader: any ServerNotificationReader
    let policies: [BundleID: AppPolicy]

    /// Takes a notification, and returns the id under which it is stored.
    ///
    /// - Throws: `NotificationFailure` when it is not Apple's, or nobody can tell, and nothing is stored; `StoreError`,
    ///   `SendFault`.
    func take(
        _ identifier: String,
        _ signedPayload: String,
        request: EventID,
        in context: inout HandlerContext
    ) throws -> String {
        var notification: ServerNotification?
        let assessment: NotificationAssessment
        do throws(NotificationFailure) {
            (notification, assessment) = try assess(signedPayload, now: context.now)
        } catch {
            guard case .unreadable(let reason) = error else { throw error }
            assessment = NotificationAssessment(unreadable: reason)
        }
        let identifier = notification?.notificationUUID ?? identifier
        try NotificationStore(connection: context.connection).save(
            NotificationRecord(identifier: identifier, signedPayload: signedPayload, requestID: request),
            notification,
            assessment,
            now: context.now
        )
        if let facts = assessment.facts, let signed = notification?.transaction {
            try context.sendToClaim(signed, facts)
        }
        return identifier
    }

    /// The product that a stored notification is about; none where nobody can tell.
    func products(of record: NotificationRecord, now: Timestamp) -> [ProductID] {
        do {
            return try assess(record.signedPayload, now: now).1.facts.map { [$0.productId] } ?? []
        } catch {
            return []
        }
    }

    /// Sends a stored notification's transaction to its claim once more, if the claim is there.
    func redrive(
        _ record: NotificationRecord,
        to target: PartitionAddress,
        in context: inout HandlerContext
    ) throws {
        do throws(NotificationFailure) {
            let (notification, assessment) = try assess(record.signedPayload, now: context.now)
            guard let signed = notification?.transaction, let facts = assessment.facts,
                facts.claimKey.shard.partition(of: context.partitions) == target.partition
            else { return }
            transaction = (signed, facts)
        } catch {
            return
        }
        try context.sendToClaim(signed, facts)
    }

    /// What Apple says, and what is done about it by the policy of the app that it is about.
    private func assess(
        _ signedPayload: String,
        now: Timestamp
    ) throws(NotificationFailure) -> (ServerNotification?, NotificationAssessment) {
        let notification = try reader.notification(in: signedPayload, now: now)
        guard let app = notification.bundleId.flatMap(BundleID.init(rawValue:)), let policy = policies[app]
        else { throw .unknownApp }
        return (notification, NotificationAssessment(notification, policy: policy))
    }
}
