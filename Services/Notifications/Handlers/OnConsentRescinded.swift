import Contracts
import Delivery

/// `counterfoil.consent.rescinded.v1`: the app's own server learns whom to stop serving.
struct OnConsentRescinded {
    let subscribers: Set<BundleID>

    func callAsFunction(
        _ message: Event<ConsentRescindedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        guard subscribers.contains(message.data.bundleId) else { return .applied }
        let store = WebhookStore(connection: context.connection)
        let due = try store.add(try WebhookMessage(message), now: context.now)
        if let due { context.scheduleWork(at: due) }
        return .applied
    }
}
