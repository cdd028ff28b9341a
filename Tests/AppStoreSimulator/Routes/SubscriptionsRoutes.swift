import Contracts
import Hummingbird

/// Get All Subscription Statuses of a customer, by subscription group.
struct SubscriptionsRoutes: Sendable {
    let store: SimulatedStore
    let environment: StoreEnvironment

    func add(to api: RouterGroup<SimulatorContext>) {
        api.get("v1/subscriptions/:transactionId", use: statuses)
    }

    private struct Answer: Encodable {
        let environment: String
        let bundleId: String
        let appAppleId: Int64?
        let data: [Group]
    }

    private struct Group: Encodable {
        let subscriptionGroupIdentifier: String
        let lastTransactions: [Item]
    }

    private struct Item: Encodable {
        let status: Int
        let originalTransactionId: String
        let signedTransactionInfo: String
        let signedRenewalInfo: String
    }

    @Sendable private func statuses(_ request: Request, _ context: SimulatorContext) async throws -> Response
    {
        let call = APICall(store: store, environment: environment, request: request, context: context)
        let wanted = try standings(call)
        let sale = try await call.sale("transactionId")
        var groups: [String: [String: Item]] = [:]
        for other in await store.register.history(of: sale) {
            guard let (subscription, latest) = await store.register.subscription(of: other),
                wanted.isEmpty || wanted.contains(subscription.standing)
            else { continue }
            groups[subscription.group, default: [:]][subscription.originalTransactionId] =
                try item(subscription, latest, call.quality)
        }
        let appAppleId = await store.apps.appAppleId(of: sale.transaction.bundleId)
        return try .json(
            Answer(
                environment: environment.rawValue,
                bundleId: sale.transaction.bundleId,
                appAppleId: environment == .production ? appAppleId : nil,
                data: groups.sorted { $0.key < $1.key }
                    .map { group, items in
                        Group(
                            subscriptionGroupIdentifier: group,
                            lastTransactions: items.sorted { $0.key < $1.key }.map(\.value)
                        )
                    }
            )
        )
    }

    private func standings(_ call: APICall) throws(APIError) -> [Subscription.Standing] {
        var standings: [Subscription.Standing] = []
        for text in call.queries("status") {
            guard let standing = Int(text).flatMap(Subscription.Standing.init(rawValue:)) else {
                throw .invalidStatus
            }
            standings.append(standing)
        }
        return standings
    }

    private func item(
        _ subscription: Subscription,
        _ latest: Sale,
        _ quality: SignatureQuality
    ) throws -> Item {
        let renewal = RenewalStatement(subscription, latest: latest.transaction, signedAt: store.now())
        return Item(
            status: subscription.standing.rawValue,
            originalTransactionId: subscription.originalTransactionId,
            signedTransactionInfo: try store.signed(latest, quality),
            signedRenewalInfo: try store.signed(statement: renewal, quality)
        )
    }
}
