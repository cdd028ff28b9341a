/// Some of the webhooks that a partition has written, oldest first.
package struct WebhooksPage: Codable, Hashable, Sendable {
    /// A webhook as it is sent to an app's own server.
    package struct Webhook: Codable, Hashable, Sendable {
        /// In the order of writing.
        package var position: Int64
        package var bundleId: BundleID
        package var id: EventID
        package var type: EventType
        package var body: String
        package var traceparent: String?
    }

    package var webhooks: [Webhook]
    /// The position after which the next question begins.
    package var last: Int64
}
