import Contracts
import Delivery

/// `counterfoil.webhooks.listen.v1`: the webhooks since the last question, in a test home.
struct OnWebhooksListen {
    /// Copies of an answer: with bodies of 64 KiB each they stay far below what an answer may have.
    static let copiesPerPage = 32

    let subscribers: Subscribers

    func callAsFunction(
        _ message: Event<WebhooksListenV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<WebhooksPage> {
        guard subscribers.mayListen else {
            return .refused(RequestRefusal(.invalid, "Webhooks are listened to in test homes only."))
        }
        let copies = WebhookCopyStore(connection: context.connection)
        guard let after = message.data.after else {
            try copies.begin()
            return .reply(WebhooksPage(webhooks: [], last: try copies.last()))
        }
        return .reply(try copies.page(after: after, limit: Self.copiesPerPage))
    }
}
