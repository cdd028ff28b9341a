import Contracts
import Delivery

/// `counterfoil.externalpurchase.notified.v1`: the app's own server learns what it has to report to Apple.
struct OnExternalPurchaseNotified {
    let subscribers: Subscribers

    func callAsFunction(
        _ message: Event<ExternalPurchaseNotifiedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        try Webhooks(context).send(WebhookMessage(message), of: message.data.bundleId, to: subscribers)
        return .applied
    }
}
