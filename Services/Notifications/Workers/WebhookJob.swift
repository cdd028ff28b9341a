import Contracts
import Program

struct WebhookJob: Codable {
    let key: WebhookRow.Key
    let bundleId: BundleID
    let eventId: EventID
    /// When the attempt began; the signature has this time.
    let time: Timestamp
    let body: String
    let traceparent: String?

    var name: String { "\(key.about)/\(key.changeId)" }

    func call(of endpoint: Configuration.Webhook) -> WebhookCall {
        let seconds = time.milliseconds / 1_000
        return WebhookCall(endpoint, of: eventId, timestamp: seconds, body: body, traceparent: traceparent)
    }
}

extension WebhookJob {
    init(payload: [UInt8]) throws { self = try EventDecoder().decode(WebhookJob.self, from: payload) }
}
