import Contracts
import NotificationsCore
import Program

/// One POST to an app's server: what is sent, and where.
struct WebhookCall: Equatable {
    /// CloudEvents 1.0, structured mode over HTTP.
    static let contentType = "application/cloudevents+json"

    var url: String
    var headers: [(name: String, value: String)]
    var body: String

    /// A call of an endpoint, signed at `timestamp`, in seconds since 1970.
    init(_ endpoint: Configuration.Webhook, timestamp: Int64, body: String) {
        url = endpoint.url
        headers = [
            ("Content-Type", Self.contentType),
            (WebhookSignature.timestampHeader, String(timestamp)),
            (
                WebhookSignature.signatureHeader,
                WebhookSignature.value(secret: endpoint.secret, timestamp: timestamp, body: body)
            ),
        ]
        self.body = body
    }

    static func == (left: WebhookCall, right: WebhookCall) -> Bool {
        left.url == right.url && left.body == right.body
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}

/// Whoever can make a call and say which HTTP status came back.
protocol WebhookPoster: Sendable {
    /// Makes a call.
    ///
    /// - Returns: the status.
    /// - Throws: whatever kept the server from answering.
    @concurrent func post(_ call: WebhookCall) async throws -> Int
}
