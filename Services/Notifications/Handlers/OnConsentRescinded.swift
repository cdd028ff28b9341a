import Contracts
import Delivery

/// `counterfoil.consent.rescinded.v1`: the app's own server learns whom to stop serving.
struct OnConsentRescinded {
    let subscribers: Subscribers

    func callAsFunction(
        _ message: Event<ConsentRescindedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        try Webhooks(context).send(WebhookMessage(message), of: message.data.bundleId, to: subscribers)
        return .applied
    }
}
