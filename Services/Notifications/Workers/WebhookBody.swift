import Contracts

/// The message to an app's own server: the event, preceded by whether the money was real.
///
/// `environment` is an extension attribute of CloudEvents.
struct WebhookBody: Encodable {
    private enum Keys: String, CodingKey { case environment }

    private let message: Event<EntitlementChangedV1>

    /// A message sent again after a restore has no submission and no trace, and must be the same.
    init(_ message: Event<EntitlementChangedV1>) {
        var message = message
        message.data.submission = nil
        message.traceparent = nil
        self.message = message
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(message.data.environment, forKey: .environment)
        try message.encode(to: encoder)
    }
}
