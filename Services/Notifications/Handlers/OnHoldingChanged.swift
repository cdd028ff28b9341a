import Contracts
import Delivery

/// `counterfoil.holding.changed.v1`: the app's own server learns what a buyer holds of an entitlement.
struct OnHoldingChanged {
    let subscribers: Subscribers

    func callAsFunction(
        _ message: Event<HoldingChangedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (webhook, app) = (try WebhookMessage(message), message.data.bundleId)
        let store = WebhookStore(connection: context.connection)
        guard let newest = try store.newestChange(about: webhook.key.about), try store.row(webhook.key) != nil
        else {
            try Webhooks(context).send(webhook, of: app, to: subscribers)
            return .applied
        }
        // It was told before. What was told since, a restored ledger does not know: its word counts.
        let isLastWord = newest == webhook.key.changeId || newest.hasPrefix(message.data.webhookContent)
        if !isLastWord {
            try Webhooks(context).send(WebhookMessage(message.again(after: newest)), of: app, to: subscribers)
        }
        return .applied
    }
}
