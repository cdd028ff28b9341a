import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Makes calls over HTTP/1.1 or 2, with a time limit, and follows no redirection.
struct HTTPWebhookPoster: WebhookPoster {
    static let timeout = TimeAmount.seconds(10)
    /// Time to read the rest of an answer, once its status is known.
    static let drainTime = Duration.seconds(1)
    /// Bytes of an answer that are read, so that the connection can serve the next call.
    static let answerBytes = 64 << 10

    /// One client for the whole process, to reuse its connections.
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
        request.headers = call.headers
        request.body = .bytes(ByteBuffer(string: call.body))
        let response = try await Self.client.execute(request, timeout: Self.timeout)
        await Self.drain(response.body)
        return Int(response.status.code)
    }

    /// Reads the rest of an answer so that its connection can serve the next call, within a time limit: the client's
    /// own timeout begins anew with each byte of a slow body.
    private static func drain(_ body: HTTPClientResponse.Body) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { do { _ = try await body.collect(upTo: answerBytes) } catch { return } }
            group.addTask { do { try await Task.sleep(for: drainTime) } catch { return } }
            await group.next()
            group.cancelAll()
        }
    }
}
