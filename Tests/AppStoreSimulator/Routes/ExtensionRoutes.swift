import Contracts
import Hummingbird

/// Extend a Subscription Renewal Date: more days for one subscriber, twice a year at most.
struct ExtensionRoutes: Sendable {
    static let maximumDays = 90
    /// In 365 days.
    static let maximumExtensions = 2
    private static let year: Int64 = 365 * 86_400_000

    let store: SimulatedStore
    let environment: StoreEnvironment

    func add(to api: RouterGroup<SimulatorContext>) {
        api.put("v1/subscriptions/extend/:transactionId", use: extend)
    }

    private struct Wanted: Decodable {
        let extendByDays: Int
        let extendReasonCode: Int
        let requestIdentifier: String
    }

    private struct Answer: Encodable {
        let originalTransactionId: String
        let webOrderLineItemId: String?
        let success = true
        let effectiveDate: Int64
    }

    @Sendable private func extend(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let call = APICall(store: store, environment: environment, request: request, context: context)
        let wanted: Wanted = try await call.body()
        guard (1...Self.maximumDays).contains(wanted.extendByDays) else {
            throw APIError.invalidExtendByDays
        }
        guard (0...3).contains(wanted.extendReasonCode) else { throw APIError.invalidExtendReasonCode }
        guard (1...128).contains(wanted.requestIdentifier.utf8.count) else {
            throw APIError.invalidRequestIdentifier
        }
        let sale = try await call.sale(
            "transactionId",
            invalid: .invalidOriginalTransactionId
        )
        try await check(sale)
        let event = SubscriptionEvent.extend(days: wanted.extendByDays)
        let happening = try await store.register.perform(event, on: sale.id, at: store.now())
        _ = try await Announcer(store: store).tell(happening, call.quality)
        let latest = happening.sales.last?.transaction
        return try .json(
            Answer(
                originalTransactionId: sale.transaction.originalTransactionId,
                webOrderLineItemId: latest?.webOrderLineItemId,
                effectiveDate: latest?.expiresDate ?? 0
            )
        )
    }

    private func check(_ sale: Sale) async throws {
        guard let (subscription, latest) = await store.register.subscription(of: sale) else {
            throw APIError.originalTransactionIdNotFound
        }
        guard latest.transaction.inAppOwnershipType == "PURCHASED" else {
            throw APIError.familyExtensionIneligible
        }
        guard subscription.standing == .active else { throw APIError.extensionIneligible }
        let recent = subscription.extensions.filter { $0 > store.now().milliseconds - Self.year }
        guard recent.count < Self.maximumExtensions else { throw APIError.maximumExtensions }
    }
}
