import Contracts
import Delivery

/// The messages to the apps' own servers.
struct Webhooks {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Stores a message for the server of an app, if the app has one, and a copy where somebody listens; only then is
    /// the message made.
    func send(
        _ message: @autoclosure () throws -> WebhookMessage,
        of app: BundleID,
        to subscribers: Subscribers
    ) throws {
        let isSubscribed = subscribers.apps.contains(app)
        let copies = WebhookCopyStore(connection: context.connection)
        let isListened = try subscribers.mayListen && copies.areKept()
        guard isSubscribed || isListened else { return }
        let message = try message()
        if isListened { try copies.add(message) }
        guard isSubscribed else { return }
        let due = try WebhookStore(connection: context.connection).add(message, now: context.now)
        if let due { context.scheduleWork(at: due) }
    }
}
