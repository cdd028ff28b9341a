import HTTPClient

/// Makes calls over HTTP/1.1 or 2, with a time limit, and follows no redirection.
struct HTTPWebhookPoster: WebhookPoster {
    /// Until the status is known, ms.
    static let timeout: Int64 = 10_000
    /// Time to read the rest of an answer, once its status is known, ms.
    static let drainTime: Int64 = 1_000
    /// Bytes of an answer that are read, so that the connection can serve the next call.
    static let answerBytes = 64 << 10

    @concurrent func post(_ call: WebhookCall) async throws -> Int {
        let body = HTTPCall.Body.ignored(limit: Self.answerBytes, time: Self.drainTime)
        var request = HTTPCall("POST", call.url, timeout: Self.timeout, body: body)
        request.headers = call.headers
        request.content = Array(call.body.utf8)
        return try await HTTPClient.shared.execute(request).status
    }
}
