import Contracts

/// The message to an app's own server: the event, preceded by whether the money was real.
///
/// `environment` is an extension attribute of CloudEvents.
struct WebhookBody<Body: Contract>: Encodable {
    private enum Keys: String, CodingKey { case environment }

    private let environment: Environment
    private var message: Event<Body>

    /// A message sent again after a restore has no trace, and must be the same: the trace is a header's.
    init(_ message: Event<Body>, of environment: Environment) {
        self.environment = environment
        self.message = message
        self.message.traceparent = nil
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(environment, forKey: .environment)
        try message.encode(to: encoder)
    }
}
