import Contracts
import Crypto
import FoundationEssentials
import Program

struct WebhookCall {
    let url: String
    let headers: [(name: String, value: String)]
    let body: String

    /// A call of an endpoint, signed at `timestamp`, in seconds since 1970; on the trace of what the body tells, if it
    /// is one.
    init(_ endpoint: Configuration.Webhook, timestamp: Int64, body: String, traceparent: String? = nil) {
        url = endpoint.url
        var headers = [
            // CloudEvents 1.0, structured mode over HTTP.
            (name: "Content-Type", value: "application/cloudevents+json"),
            (name: "Counterfoil-Timestamp", value: String(timestamp)),
            (
                name: "Counterfoil-Signature",
                value: Self.signature(of: "\(timestamp).\(body)", secret: endpoint.secret)
            ),
        ]
        if let trace = traceparent.flatMap({ Traceparent($0) }) {
            headers.append((name: "traceparent", value: trace.text))
        }
        (self.headers, self.body) = (headers, body)
    }

    /// `v1=` and the HMAC-SHA256 in hexadecimal.
    private static func signature(of text: String, secret: String) -> String {
        let key = SymmetricKey(data: Data(secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
        return "v1=" + code.hexadecimal
    }
}

protocol WebhookPoster: Sendable {
    /// The status of the response; throws whatever kept the server from answering.
    @concurrent func post(_ call: WebhookCall) async throws -> Int
}
