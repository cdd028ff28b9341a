import Contracts
import Delivery

/// `counterfoil.entitlement.expired.v1`: the app's own server learns that an entitlement has ended by itself.
struct OnEntitlementExpired {
    let subscribers: Set<BundleID>

    func callAsFunction(
        _ message: Event<EntitlementExpiredV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        guard subscribers.contains(message.data.bundleId) else { return .applied }
        let store = WebhookStore(connection: context.connection)
        let due = try store.add(try WebhookMessage(message), now: context.now)
        if let due { context.scheduleWork(at: due) }
        return .applied
    }
}
