import Contracts
import NotificationsCore
import Program

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

protocol WebhookPoster: Sendable {
    /// The status of the response; throws whatever kept the server from answering.
    @concurrent func post(_ call: WebhookCall) async throws -> Int
}
