import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Makes calls over HTTP/1.1 or 2, with a time limit, and follows no redirection.
struct HTTPWebhookPoster: WebhookPoster {
    /// Longest that a server may take to answer.
    static let timeout = TimeAmount.seconds(10)
    /// Longest that the rest of an answer is read for, once its status is known.
    static let drainTime = Duration.seconds(1)
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
        await Self.drain(response.body)
        return Int(response.status.code)
    }

    /// Reads the rest of an answer so that its connection can serve the next call, but not for long: the client's own
    /// timeout begins anew with each byte of a body that trickles.
    private static func drain(_ body: HTTPClientResponse.Body) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { do { _ = try await body.collect(upTo: answerBytes) } catch { return } }
            group.addTask { do { try await Task.sleep(for: drainTime) } catch { return } }
            await group.next()
            group.cancelAll()
        }
    }
}
