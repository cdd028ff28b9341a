import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Calls over HTTP/1.1 or 2, kept open from one call to the next.
package struct HTTPSTransport: AppleTransport {
    /// Longest that a connection may take to come about.
    private static let connectTimeout = TimeAmount.seconds(10)

    /// One client for the life of the process, as its connections are worth keeping.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: connectTimeout, read: .milliseconds(AppleCall.longestTimeout))
        )
    )

    package init() {}

    /// Sends `call` over the network.
    @concurrent package func execute(_ call: AppleCall) async throws(TransportFailure) -> AppleAnswer {
        do {
            return try await Self.timed(call)
        } catch {
            throw TransportFailure(error)
        }
    }

    /// The HTTP client's own deadline ends with the answer's head, and its read timeout with each byte: a body
    /// that trickles would be read for ever.
    private static func timed(_ call: AppleCall) async throws -> AppleAnswer {
        try await withThrowingTaskGroup(of: AppleAnswer?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange(call) }
            group.addTask {
                try await Task.sleep(for: .milliseconds(call.timeout))
                return nil
            }
            guard let answer = try await group.next() ?? nil else { throw TransportFailure.timedOut }
            return answer
        }
    }

    private static func exchange(_ call: AppleCall) async throws -> AppleAnswer {
        let deadline = NIODeadline.now() + .milliseconds(call.timeout)
        let response = try await client.execute(request(call), deadline: deadline)
        let body = try await response.body.collect(upTo: call.answerLimit)
        return AppleAnswer(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "retry-after"),
            body: Array(body.readableBytesView)
        )
    }

    private static func request(_ call: AppleCall) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: call.url)
        request.method = HTTPMethod(rawValue: call.method.rawValue)
        request.headers.add(name: "accept", value: "application/json")
        if let token = call.token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        if let body = call.body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        return request
    }
}

extension TransportFailure {
    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout,
        .getConnectionFromPoolTimeout,
    ]

    /// What an error of the HTTP client means.
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
