import Contracts
import Delivery

extension HandlerContext {
    /// Stores a message for the server of an app, if the app has one; only then is the message made.
    mutating func tell(
        _ message: @autoclosure () throws -> WebhookMessage,
        of app: BundleID,
        to subscribers: Set<BundleID>
    ) throws {
        guard subscribers.contains(app) else { return }
        let due = try WebhookStore(connection: connection).add(try message(), now: now)
        if let due { scheduleWork(at: due) }
    }
}
