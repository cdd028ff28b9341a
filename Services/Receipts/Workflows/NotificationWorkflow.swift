import Contracts
import Delivery
import Domain

struct NotificationWorkflow: Sendable {
    let reader: any ServerNotificationReader
    let policies: [BundleID: AppPolicy]

    /// Takes a notification, and returns the id under which it is stored.
    ///
    /// - Throws: `NotificationFailure` when it is not Apple's or undecidable, and nothing is stored; `StoreError`,
    ///   `SendFault`.
    func take(_ record: NotificationRecord, in context: inout HandlerContext) throws -> String {
        var record = record
        var notification: ServerNotification?
        let assessment: NotificationAssessment
        do throws(NotificationFailure) {
            (notification, assessment) = try assess(record.signedPayload, now: context.now)
        } catch {
            guard case .unreadable(let reason) = error else { throw error }
            assessment = NotificationAssessment(parkedAs: reason)
        }
        if let notification { record.identifier = notification.notificationUUID }
        try NotificationStore(connection: context.connection)
            .save(record, notification, assessment, now: context.now)
        if assessment.facts != nil, let notification, let signed = notification.transaction {
            try context.sendToClaim(signed, with: notification)
        }
        if let notification, let account = assessment.rescindedAccount {
            try context.lookUp(account, of: notification)
            let app = notification.bundleId ?? ""
            context.alarm(
                "consent to \(app) was withdrawn for the app transaction \(account): stop serving it"
            )
        }
        if let told = assessment.externalPurchase { try context.tell(told) }
        if let part = notification?.unknownPart {
            context.alarm(
                """
                Apple's notification \(record.identifier) has a part that is not known here, \(part): it is kept; update \
                this program, then run `counterfoil retry`
                """
            )
        }
        return record.identifier
    }

    /// The product of a stored notification; empty if unknown.
    func products(of record: NotificationRecord, now: Timestamp) -> [ProductID] {
        delivered(in: record, now: now).map { [$0.facts.productId] } ?? []
    }

    /// Sends a stored notification's transaction again to its claim if the claim is in that partition; to Notifications,
    /// whose consent was withdrawn, and what was bought outside the App Store.
    func redrive(
        _ record: NotificationRecord,
        to target: PartitionAddress,
        in context: inout HandlerContext
    ) throws {
        if target.service == .notifications {
            guard let (notification, assessment) = read(record, now: context.now) else { return }
            if let account = assessment.rescindedAccount { try context.lookUp(account, of: notification) }
            if let told = assessment.externalPurchase, context.owner(of: told) == target {
                try context.tell(told)
            }
            return
        }
        guard let (notification, facts) = delivered(in: record, now: context.now),
            let signed = notification.transaction,
            facts.chainKey.address(in: .receipts, of: context.partitions) == target
        else { return }
        try context.sendToClaim(signed, with: notification)
    }

    /// A notification whose transaction goes to its claim.
    private func delivered(
        in record: NotificationRecord,
        now: Timestamp
    ) -> (notification: ServerNotification, facts: TransactionFacts)? {
        read(record, now: now).flatMap { known in
            known.assessment.facts.map { (known.notification, $0) }
        }
    }

    private func read(
        _ record: NotificationRecord,
        now: Timestamp
    ) -> (notification: ServerNotification, assessment: NotificationAssessment)? {
        do {
            return try assess(record.signedPayload, now: now)
        } catch {
            return nil
        }
    }

    private func assess(
        _ signedPayload: String,
        now: Timestamp
    ) throws(NotificationFailure) -> (ServerNotification, NotificationAssessment) {
        let notification = try reader.notification(in: signedPayload, now: now)
        guard let app = notification.bundleId.flatMap(BundleID.init(rawValue:)), let policy = policies[app]
        else { throw .unknownApp }
        return (notification, NotificationAssessment(notification, policy: policy))
    }
}

extension HandlerContext {
    /// Tells of a purchase outside the App Store; told again, it is the same event.
    fileprivate mutating func tell(_ purchase: ExternalPurchaseNotifiedV1) throws {
        let id = DerivedID.hexadecimal(["externalPurchase", purchase.notificationUUID])
        try send(
            purchase,
            stamp: EventStamp(id: EventID(unchecked: id), time: purchase.notifiedAt, cause: nil)
        )
    }

    /// Has every partition look for the buyers of an account whose consent was withdrawn; this one tells of it anyway.
    fileprivate mutating func lookUp(_ account: String, of notification: ServerNotification) throws {
        guard let app = notification.bundleId.flatMap(BundleID.init(rawValue:)) else { return }
        for partition in 0..<partitions {
            let lookup = ConsentLookupV1(
                notificationUUID: notification.notificationUUID,
                bundleId: app,
                environment: notification.environment ?? .production,
                appTransactionId: account,
                rescindedAt: notification.signedDate,
                isAlwaysTold: partition == address.partition
            )
            try send(lookup, partition: partition)
        }
    }
}
