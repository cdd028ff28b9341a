import Contracts
import Delivery

/// Who is told of webhooks.
struct Subscribers: ExpressibleByArrayLiteral {
    /// The apps that have a server.
    let apps: Set<BundleID>
    /// Whether `counterfoil listen` may read copies, of every app's.
    let mayListen: Bool

    init(apps: Set<BundleID>, mayListen: Bool) { (self.apps, self.mayListen) = (apps, mayListen) }

    init(arrayLiteral apps: BundleID...) { self.init(apps: Set(apps), mayListen: false) }
}

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
