import Contracts
import Domain
import HTTPClient

/// Hands a webhook to a server on this machine as it would be sent to the app's own.
struct WebhookForwarder: Sendable {
    /// What became of a webhook.
    struct Outcome: Encodable, Equatable, Sendable {
        let id: EventID
        let type: EventType
        let bundleId: BundleID
        /// Nil where the server did not answer.
        var status: Int?
        /// Why it did not.
        var problem: String?
        let body: String

        var text: String { "\(status.map(String.init) ?? problem ?? "-")  \(type)  \(id)  \(bundleId)" }
    }

    /// As for the app's own server, ms.
    private static let timeout: Int64 = 10_000
    private static let answerBytes = 64 << 10
    private static let drainTime: Int64 = 1_000

    let target: ForwardTarget
    let secrets: WebhookSecrets
    /// Seconds since 1970.
    var now: @Sendable () -> Int64
    var send: @Sendable (HTTPCall) async throws(HTTPFailure) -> HTTPAnswer = {
        call async throws(HTTPFailure) in try await HTTPClient.shared.execute(call)
    }

    /// Sends it once, whatever comes of it.
    func forward(_ webhook: WebhooksPage.Webhook) async -> Outcome {
        var outcome = Outcome(
            id: webhook.id,
            type: webhook.type,
            bundleId: webhook.bundleId,
            body: webhook.body
        )
        do throws(HTTPFailure) {
            outcome.status = try await send(call(webhook)).status
        } catch {
            outcome.problem = "no answer (\(error.rawValue))"
        }
        return outcome
    }

    private func call(_ webhook: WebhooksPage.Webhook) -> HTTPCall {
        let body = HTTPCall.Body.ignored(limit: Self.answerBytes, time: Self.drainTime)
        var call = HTTPCall("POST", target.url, timeout: Self.timeout, body: body)
        call.headers = [(name: "Content-Type", value: "application/cloudevents+json")]
        let secrets = secrets.secrets(of: webhook.bundleId)
        if !secrets.isEmpty {
            call.headers += WebhookSignature.headers(
                of: webhook.id,
                timestamp: now(),
                body: webhook.body,
                secrets: secrets
            )
        }
        if let trace = webhook.traceparent.flatMap({ Traceparent($0) }) {
            call.headers.append((name: "traceparent", value: trace.text))
        }
        call.content = Array(webhook.body.utf8)
        return call
    }
}
