import Contracts
import Delivery

/// `counterfoil.holding.changed.v1`: the app's own server learns what a buyer holds of an entitlement.
struct OnHoldingChanged {
    let subscribers: Set<BundleID>

    func callAsFunction(
        _ message: Event<HoldingChangedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        // After a restore all is told again, by events of their own.
        let store = WebhookStore(connection: context.connection)
        let newest = try store.newestChange(about: message.data.webhookAbout)
        guard newest?.hasPrefix(message.data.webhookContent) != true else { return .applied }
        try context.tell(WebhookMessage(message), of: message.data.bundleId, to: subscribers)
        return .applied
    }
}
