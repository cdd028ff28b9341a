import NIOHTTP1
import AsyncHTTPClient
import NIOCore

/// Posts over HTTP, and names a failure as Apple does.
enum ServerNotificationPost {
    static let timeout = TimeAmount.seconds(30)
    static let answerBytes = 64 * 1_024

    /// One client for the life of the process, as its connections are worth keeping.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: .init(
            redirectConfiguration: .disallow,
            timeout: .init(connect: timeout, read: timeout)
        )
    )

    @concurrent static func send(_ url: String, _ body: String) async -> SendAttempt.Result {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: body))
        do {
            let response = try await client.execute(request, timeout: timeout)
            _ = try await response.body.collect(upTo: answerBytes)
            let isReceived = RetrySchedule.success.contains(Int(response.status.code))
            return isReceived ? .success : .unsuccessfulStatus
        } catch let error as HTTPClientError {
            return result(error)
        } catch is IOError {
            return .socketIssue
        } catch {
            return .noResponse
        }
    }

    private static func result(_ error: HTTPClientError) -> SendAttempt.Result {
        switch error {
        case .readTimeout, .connectTimeout, .deadlineExceeded: .timedOut
        case .remoteConnectionClosed: .prematureClose
        case .tlsHandshakeTimeout: .tlsIssue
        default: .noResponse
        }
    }
}
