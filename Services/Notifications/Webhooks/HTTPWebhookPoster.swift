import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Makes calls over HTTP/1.1 or 2, with a time limit, and follows no redirection.
struct HTTPWebhookPoster: WebhookPoster {
    /// Longest that a server may take to answer.
    static let timeout = TimeAmount.seconds(10)
    /// Bytes of an answer that are read, so that the connection can serve the next call.
    static let answerBytes = 64 << 10

    /// One client for the life of the process, as its connections are worth keeping.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: timeout, read: timeout)
        )
    )

    @concurrent func post(_ call: WebhookCall) async throws -> Int {
        var request = HTTPClientRequest(url: call.url)
        request.method = .POST
        for header in call.headers { request.headers.add(name: header.name, value: header.value) }
        request.body = .bytes(ByteBuffer(string: call.body))
        let response = try await Self.client.execute(request, timeout: Self.timeout)
        let status = Int(response.status.code)
        do { _ = try await response.body.collect(upTo: Self.answerBytes) } catch { return status }
        return status
    }
}
