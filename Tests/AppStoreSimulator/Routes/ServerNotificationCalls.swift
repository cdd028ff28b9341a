import Contracts
import Foundation
import Hummingbird

extension StoreCall {
    /// Get Notification History: what Apple tried to send to an app, and how each attempt ended.
    func notificationHistory() async throws -> Response {
        let filter: ServerNotificationFilter = try await apiBody()
        try filter.check(in: environment, at: now)
        let skipped =
            try query("paginationToken").map { token throws(APIError) in
                guard token.hasPrefix("page_"), let position = Int(token.dropFirst(5)), position >= 0 else {
                    throw .invalidPaginationToken
                }
                return position
            } ?? 0
        let app = StoreApp(bundleId: context.callerBundleId, environment: environment)
        let all = await store.notifications.history(of: app).filter(filter.lets)
        let page = all.dropFirst(skipped).prefix(Self.pageSize)
        let next = skipped + page.count
        return try .json(
            ServerNotificationPage(
                paginationToken: all.count > next ? "page_\(next)" : nil,
                hasMore: all.count > next,
                notificationHistory: page.map(ServerNotificationPage.Item.init)
            )
        )
    }

    /// Request a Test Notification.
    func testNotification() async throws -> Response {
        let app = StoreApp(bundleId: context.callerBundleId, environment: environment)
        guard await store.notifications.hasEndpoint(app) else { throw APIError.notificationURLNotFound }
        var body = store.notification("TEST")
        body.data = await store.emptyData(of: app)
        let sent = try await store.publish(body, to: app, quality)
        return try .json(["testNotificationToken": "\(sent.notificationUUID)_\(now.milliseconds)"])
    }

    /// Get Test Notification Status.
    func testNotificationStatus() async throws -> Response {
        let parts = try parameter("token").split(separator: "_")
        guard parts.count == 2, UUID(uuidString: String(parts[0])) != nil, Int64(parts[1]) != nil else {
            throw APIError.invalidTestNotificationToken
        }
        let app = StoreApp(bundleId: context.callerBundleId, environment: environment)
        guard let record = await store.notifications.record(String(parts[0])),
            record.notificationType == "TEST",
            record.app == app
        else { throw APIError.testNotificationNotFound }
        return try .json(ServerNotificationPage.Item(record))
    }
}

/// A page of Get Notification History.
struct ServerNotificationPage: Encodable {
    let paginationToken: String?
    let hasMore: Bool
    let notificationHistory: [Item]

    struct Item: Encodable {
        let signedPayload: String
        let sendAttempts: [SendAttempt]

        init(_ record: ServerNotificationRecord) {
            signedPayload = record.signedPayload
            sendAttempts = record.attempts
        }
    }
}

/// The body of a call of Get Notification History.
struct ServerNotificationFilter: Decodable {
    /// Milliseconds that Apple's history goes back.
    private static let retention: [StoreEnvironment: Int64] = [
        .production: 180 * 86_400_000, .sandbox: 30 * 86_400_000,
    ]

    /// Apple's types of notification; any other is no filter.
    private static let types: Set<String> = [
        "SUBSCRIBED", "DID_RENEW", "ONE_TIME_CHARGE", "OFFER_REDEEMED", "DID_CHANGE_RENEWAL_PREF",
        "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "EXPIRED", "PRICE_INCREASE",
        "PRICE_CHANGE", "METADATA_UPDATE", "MIGRATION", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION",
        "CONSUMPTION_REQUEST", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED", "REVOKE", "RESCIND_CONSENT",
        "EXTERNAL_PURCHASE_TOKEN", "TEST",
    ]

    let startDate: Int64
    let endDate: Int64
    let notificationType: String?
    let notificationSubtype: String?
    let transactionId: String?
    let onlyFailures: Bool?

    func check(in environment: StoreEnvironment, at now: Timestamp) throws(APIError) {
        guard startDate <= endDate else { throw .startDateAfterEndDate }
        guard startDate >= now.milliseconds - Self.retention[environment, default: 0] else {
            throw .startDateTooFarInPast
        }
        if transactionId != nil, notificationType != nil { throw .multipleFiltersSupplied }
        if let notificationType, !Self.types.contains(notificationType) { throw .invalidNotificationType }
        if notificationSubtype != nil, notificationType == nil { throw .invalidNotificationType }
    }

    func lets(_ record: ServerNotificationRecord) -> Bool {
        (startDate...endDate).contains(record.signedDate.milliseconds)
            && (notificationType == nil || notificationType == record.notificationType)
            && (notificationSubtype == nil || notificationSubtype == record.subtype)
            && (transactionId == nil
                || [record.transactionId, record.originalTransactionId].contains(transactionId))
            && (onlyFailures != true || record.hasFailed)
    }
}
