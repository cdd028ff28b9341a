import Contracts
import Hummingbird

extension StoreCall {
    /// Get All Subscription Statuses of a customer, by subscription group.
    func subscriptionStatuses() async throws -> Response {
        let wanted = try queries("status").map { text throws(APIError) in
            guard let status = Int(text).flatMap(Subscription.Status.init(rawValue:)) else {
                throw .invalidStatus
            }
            return status
        }
        let sale = try await sale()
        var groups: [String: [JSONValue]] = [:]
        for (subscription, latest) in await store.sales.subscriptions(of: sale)
        where wanted.isEmpty || wanted.contains(subscription.status) {
            let renewal = subscription.renewalInfo(latest: latest.transaction, signedAt: now)
            let item = JSONValue.object([
                "status": .integer(Int64(subscription.status.rawValue)),
                "originalTransactionId": .string(subscription.originalTransactionId),
                "signedTransactionInfo": .string(try store.signed(latest, quality)),
                "signedRenewalInfo": .string(try store.signed(payload: renewal, quality)),
            ])
            groups[subscription.group, default: []].append(item)
        }
        var members = await app(of: sale)
        members["data"] = .array(
            groups.sorted { $0.key < $1.key }.map { group, items in
                .object([
                    "subscriptionGroupIdentifier": .string(group),
                    "lastTransactions": .array(items),
                ])
            }
        )
        return try .json(members)
    }

    /// Extend a Subscription Renewal Date: more days for one subscriber, twice a year at most.
    func extendRenewalDate() async throws -> Response {
        let wanted: RenewalDateExtension = try await apiBody()
        try wanted.check()
        let sale = try await sale(invalid: .invalidOriginalTransactionId)
        guard let (subscription, latest) = await store.sales.subscription(of: sale) else {
            throw APIError.originalTransactionIdNotFound
        }
        guard latest.transaction.inAppOwnershipType != "ASSIGNED" else {
            throw APIError.assignedExtensionIneligible
        }
        guard latest.transaction.inAppOwnershipType == "PURCHASED" else {
            throw APIError.familyExtensionIneligible
        }
        guard subscription.status == .active else { throw APIError.extensionIneligible }
        let recent = subscription.extensions.filter { $0 > now.milliseconds - 365 * 86_400_000 }
        guard recent.count < RenewalDateExtension.maximumCount else { throw APIError.maximumExtensions }
        let event = SubscriptionEvent.extend(days: wanted.extendByDays)
        let changes = try await store.sales.perform(event, on: sale.id, at: now)
        _ = try await store.notify(changes, quality)
        let extended = changes.sales.last?.transaction
        let answer = JSONValue.members([
            "originalTransactionId": .string(sale.transaction.originalTransactionId),
            "success": .bool(true),
            "effectiveDate": .integer(extended?.expiresDate ?? 0),
            "webOrderLineItemId": .text(extended?.webOrderLineItemId),
        ])
        return try .json(answer)
    }
}

/// The body of Extend a Subscription Renewal Date.
struct RenewalDateExtension: Decodable {
    static let maximumDays = 90
    /// In 365 days.
    static let maximumCount = 2

    let extendByDays: Int
    let extendReasonCode: Int
    let requestIdentifier: String

    func check() throws(APIError) {
        guard (1...Self.maximumDays).contains(extendByDays) else { throw .invalidExtendByDays }
        guard (0...3).contains(extendReasonCode) else { throw .invalidExtendReasonCode }
        guard (1...128).contains(requestIdentifier.utf8.count) else { throw .invalidRequestIdentifier }
    }
}
