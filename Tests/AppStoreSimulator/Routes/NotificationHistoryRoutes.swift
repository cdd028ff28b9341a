import Contracts
import Foundation
import Hummingbird

/// Get Notification History: what Apple tried to send to an app, and how each attempt ended.
struct NotificationHistoryRoutes: Sendable {
    let store: SimulatedStore
    let environment: StoreEnvironment

    func add(to api: RouterGroup<SimulatorContext>) {
        api.post("v1/notifications/history", use: history)
    }

    private struct Answer: Encodable {
        let paginationToken: String?
        let hasMore: Bool
        let notificationHistory: [Item]
    }

    /// A notification and its attempts.
    struct Item: Encodable {
        let signedPayload: String
        let sendAttempts: [SendAttempt]

        init(_ record: NotificationRecord) {
            signedPayload = record.signedPayload
            sendAttempts = record.attempts
        }
    }

    @Sendable private func history(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let call = APICall(store: store, environment: environment, request: request, context: context)
        let question: NotificationQuestion = try await call.body()
        try question.check(in: environment, at: store.now())
        let skipped = try position(call.query("paginationToken"))
        let all = await store.desk.history(bundleId: context.callerBundleId, environment: environment)
            .filter(question.wants)
        let page = all.dropFirst(skipped).prefix(Page.size)
        let hasMore = all.count > skipped + page.count
        return try .json(
            Answer(
                paginationToken: hasMore ? "page_\(skipped + page.count)" : nil,
                hasMore: hasMore,
                notificationHistory: page.map(Item.init)
            )
        )
    }

    private func position(_ token: String?) throws(APIError) -> Int {
        guard let token else { return 0 }
        guard token.hasPrefix("page_"), let position = Int(token.dropFirst(5)), position >= 0 else {
            throw .invalidPaginationToken
        }
        return position
    }
}

/// The body of a call of Get Notification History.
struct NotificationQuestion: Decodable {
    /// Milliseconds that Apple keeps its history.
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

    /// Refuses what Apple would refuse.
    func check(in environment: StoreEnvironment, at now: Timestamp) throws(APIError) {
        guard startDate <= endDate else { throw .startDateAfterEndDate }
        guard startDate >= now.milliseconds - Self.retention[environment, default: 0] else {
            throw .startDateTooFarInPast
        }
        if transactionId != nil, notificationType != nil { throw .multipleFiltersSupplied }
        if let notificationType, !Self.types.contains(notificationType) { throw .invalidNotificationType }
        if notificationSubtype != nil, notificationType == nil { throw .invalidNotificationType }
    }

    /// Whether a notification is asked for.
    func wants(_ record: NotificationRecord) -> Bool {
        (startDate...endDate).contains(record.signedDate.milliseconds)
            && (notificationType == nil || notificationType == record.type)
            && (notificationSubtype == nil || notificationSubtype == record.subtype)
            && (transactionId.map(record.transactionIds.contains) ?? true)
            && (onlyFailures != true || record.hasFailed)
    }
}
