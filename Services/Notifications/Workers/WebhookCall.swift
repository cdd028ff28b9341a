import Contracts
import Domain
import Program

struct WebhookCall {
    let url: String
    let headers: [(name: String, value: String)]
    let body: String

    /// A call of an endpoint about an event, signed at `timestamp`, in seconds since 1970; on the trace of what the
    /// body tells, if it is one.
    init(
        _ endpoint: Configuration.Webhook,
        of event: EventID,
        timestamp: Int64,
        body: String,
        traceparent: String? = nil
    ) {
        url = endpoint.url
        // CloudEvents 1.0, structured mode over HTTP.
        var headers = [(name: "Content-Type", value: "application/cloudevents+json")]
        headers += WebhookSignature.headers(
            of: event,
            timestamp: timestamp,
            body: body,
            secrets: endpoint.secrets
        )
        if let trace = traceparent.flatMap({ Traceparent($0) }) {
            headers.append((name: "traceparent", value: trace.text))
        }
        (self.headers, self.body) = (headers, body)
    }
}
