import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Questions over HTTP, with the limits of Apple's own library.
package struct OCSPOverHTTP: OCSPTransport {
    /// Longest that an answer may take to begin; whoever asks ends the whole sooner (`RevocationChecker`).
    private static let timeout = TimeAmount.seconds(30)
    /// Bytes of the longest answer.
    static let answerLimit = 1 << 20

    /// One client for the life of the process; it follows no redirection.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: timeout)
        )
    )

    package init() {}

    /// Posts `request` over the network.
    @concurrent package func ask(
        _ request: [UInt8],
        at url: String
    ) async throws(TransportFailure) -> AppleAnswer {
        do {
            let response = try await Self.client.execute(Self.post(request, to: url), timeout: Self.timeout)
            let body = try await response.body.collect(upTo: Self.answerLimit)
            return AppleAnswer(status: Int(response.status.code), body: Array(body.readableBytesView))
        } catch {
            throw Self.failure(error)
        }
    }

    private static func post(_ request: [UInt8], to url: String) -> HTTPClientRequest {
        var post = HTTPClientRequest(url: url)
        post.method = .POST
        post.headers.add(name: "content-type", value: "application/ocsp-request")
        post.headers.add(name: "accept", value: "application/ocsp-response")
        post.body = .bytes(ByteBuffer(bytes: request))
        return post
    }

    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout,
        .getConnectionFromPoolTimeout,
    ]

    private static func failure(_ error: any Error) -> TransportFailure {
        switch error {
        case is NIOTooManyBytesError: .tooLarge
        case is CancellationError: .cancelled
        case let error as HTTPClientError where error == .cancelled: .cancelled
        case let error as HTTPClientError where timeouts.contains(error): .timedOut
        default: .unreachable
        }
    }
}
