import Contracts
import Delivery

/// The messages to the apps' own servers.
struct Webhooks {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Stores a message for the server of an app, if the app has one; only then is the message made.
    func send(
        _ message: @autoclosure () throws -> WebhookMessage,
        of app: BundleID,
        to subscribers: Set<BundleID>
    ) throws {
        guard subscribers.contains(app) else { return }
        let due = try WebhookStore(connection: context.connection).add(try message(), now: context.now)
        if let due { context.scheduleWork(at: due) }
    }
}
