import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// HTTP/1.1 or 2 on persistent connections.
package struct HTTPTransport: AppleTransport {
    private static let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: .milliseconds(AppleHTTPRequest.longestTimeout))
        )
        // No call waits for a connection: while it does, it would seem that Apple does not answer.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_024
        return configuration
    }

    package init() {}

    /// Sends `request` over the network.
    @concurrent package func execute(
        _ request: AppleHTTPRequest
    ) async throws(TransportFailure) -> AppleHTTPResponse {
        do {
            return try await Self.timed(request)
        } catch {
            throw TransportFailure(error)
        }
    }

    /// The HTTP client's deadline covers only the head, and its read timeout restarts with each byte: a slow
    /// body could be read for ever.
    private static func timed(_ request: AppleHTTPRequest) async throws -> AppleHTTPResponse {
        try await withThrowingTaskGroup(of: AppleHTTPResponse?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange(request) }
            group.addTask {
                try await Task.sleep(for: .milliseconds(request.timeout))
                return nil
            }
            guard let response = try await group.next() ?? nil else { throw TransportFailure.timedOut }
            return response
        }
    }

    private static func exchange(_ request: AppleHTTPRequest) async throws -> AppleHTTPResponse {
        let deadline = NIODeadline.now() + .milliseconds(request.timeout)
        let response = try await client.execute(HTTPClientRequest(request), deadline: deadline)
        let body = try await response.body.collect(upTo: request.responseLimit)
        return AppleHTTPResponse(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "retry-after"),
            body: Array(body.readableBytesView)
        )
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: AppleHTTPRequest) {
        self.init(url: request.url)
        method = HTTPMethod(rawValue: request.method.rawValue)
        headers.add(name: "accept", value: request.accept)
        if let token = request.token { headers.add(name: "authorization", value: "Bearer \(token)") }
        if let bytes = request.body {
            headers.add(name: "content-type", value: request.contentType)
            body = .bytes(ByteBuffer(bytes: bytes))
        }
    }
}

extension TransportFailure {
    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout,
        .getConnectionFromPoolTimeout,
    ]

    fileprivate init(_ error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case is NIOTooManyBytesError: self = .tooLarge
        case is CancellationError: self = .cancelled
        case let error as HTTPClientError where error == .cancelled: self = .cancelled
        case let error as HTTPClientError where Self.timeouts.contains(error): self = .timedOut
        default: self = .unreachable
        }
    }
}
