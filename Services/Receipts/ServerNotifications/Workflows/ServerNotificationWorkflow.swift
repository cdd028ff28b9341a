import Contracts
import Delivery
import Domain

struct ServerNotificationWorkflow: Sendable {
    let reader: any ServerNotificationReader
    let policies: [BundleID: AppPolicy]

    /// Accepts a notification, and returns the id under which it is stored.
    ///
    /// - Throws: `ServerNotificationFailure` when it is not Apple's or undecidable, and nothing is stored;
    ///   `StoreError`, `SendFault`.
    func accept(_ record: ServerNotificationRecord, in context: HandlerContext) throws -> String {
        var record = record
        var notification: ServerNotification?
        let assessment: ServerNotificationAssessment
        do throws(ServerNotificationFailure) {
            (notification, assessment) = try assess(record.signedPayload, now: context.now)
        } catch {
            guard case .unreadable(let reason) = error else { throw error }
            assessment = ServerNotificationAssessment(parkedAs: reason)
        }
        if let notification { record.identifier = notification.notificationUUID }
        try ServerNotificationStore(connection: context.connection)
            .save(record, notification, assessment, now: context.now)
        if assessment.facts != nil, let notification { try report(notification, in: context) }
        if let notification, let account = assessment.rescindedAccount {
            try lookUp(account, of: notification, in: context)
            let app = notification.bundleId ?? ""
            context.alarm(
                .consentRescinded,
                "consent to \(app) was withdrawn for the app transaction \(account): stop serving it"
            )
        }
        if let told = assessment.externalPurchase { try tell(told, in: context) }
        if let part = notification?.unknownPart {
            context.alarm(
                .serverNotificationUnknown,
                """
                Apple's notification \(record.identifier) has a part that is not known here, \(part): it is kept; \
                update this program, then run `counterfoil retry`
                """
            )
        }
        return record.identifier
    }

    /// The product of a stored notification; empty if unknown.
    func products(of record: ServerNotificationRecord, now: Timestamp) -> [ProductID] {
        read(record, now: now)?.assessment.facts.map { [$0.productId] } ?? []
    }

    /// Sends a stored notification's transaction again to its claim if the claim is in that partition; to
    /// Notifications, whose consent was withdrawn, and what was bought outside the App Store.
    func redrive(
        _ record: ServerNotificationRecord,
        to target: PartitionAddress,
        in context: HandlerContext
    ) throws {
        guard let (notification, assessment) = read(record, now: context.now) else { return }
        if target.service == .notifications {
            if let account = assessment.rescindedAccount {
                try lookUp(account, of: notification, in: context)
            }
            if let told = assessment.externalPurchase, context.owner(of: told) == target {
                try tell(told, in: context)
            }
        } else if assessment.facts?.chainKey.address(in: .receipts, of: context.partitions) == target {
            try report(notification, in: context)
        }
    }

    /// Sends its transaction to its claim, with what it says besides.
    private func report(_ notification: ServerNotification, in context: HandlerContext) throws {
        guard let signed = notification.transaction else { return }
        let asksConsumption = notification.kind == .consumptionAsked
        let verified = TransactionVerifiedV1(
            transaction: signed,
            renewal: notification.renewal,
            status: notification.status,
            consumptionAskedAt: asksConsumption ? notification.signedDate : nil
        )
        try context.send(verified)
    }

    private func read(
        _ record: ServerNotificationRecord,
        now: Timestamp
    ) -> (notification: ServerNotification, assessment: ServerNotificationAssessment)? {
        do {
            return try assess(record.signedPayload, now: now)
        } catch {
            return nil
        }
    }

    private func assess(
        _ signedPayload: String,
        now: Timestamp
    ) throws(ServerNotificationFailure) -> (ServerNotification, ServerNotificationAssessment) {
        let notification = try reader.notification(in: signedPayload, now: now)
        guard let app = notification.bundleId.flatMap(BundleID.init(rawValue:)), let policy = policies[app]
        else { throw .unknownApp }
        return (notification, ServerNotificationAssessment(notification, policy: policy))
    }

    /// Tells of a purchase outside the App Store; told again, it is the same event.
    private func tell(_ purchase: ExternalPurchaseNotifiedV1, in context: HandlerContext) throws {
        let id = DerivedID.hexadecimal(["externalPurchase", purchase.notificationUUID])
        try context.send(
            purchase,
            stamp: EventStamp(id: EventID(unchecked: id), time: purchase.notifiedAt, cause: nil)
        )
    }

    /// Has every partition look for the buyers of an account whose consent was withdrawn; this one tells of it anyway.
    private func lookUp(
        _ account: String,
        of notification: ServerNotification,
        in context: HandlerContext
    ) throws {
        guard let app = notification.bundleId.flatMap(BundleID.init(rawValue:)) else { return }
        for partition in 0..<context.partitions {
            let lookup = ConsentLookupV1(
                notificationUUID: notification.notificationUUID,
                bundleId: app,
                environment: notification.environment ?? .production,
                appTransactionId: account,
                rescindedAt: notification.signedDate,
                isAlwaysTold: partition == context.address.partition
            )
            try context.send(lookup, partition: partition)
        }
    }
}
