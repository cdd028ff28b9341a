import Contracts
import Delivery

/// `counterfoil.entitlement.expired.v1`: the app's own server learns that an entitlement has ended by itself.
struct OnEntitlementExpired {
    let subscribers: Set<BundleID>

    func callAsFunction(
        _ message: Event<EntitlementExpiredV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        try context.tell(WebhookMessage(message), of: message.data.bundleId, to: subscribers)
        return .applied
    }
}
