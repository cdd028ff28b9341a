import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Requests with bodies of JSON, and their answers.
struct HTTPExchange: Sendable {
    /// An answer, whatever its status.
    struct Answer: Sendable {
        let status: Int
        let body: Data

        /// The content of an answer that must be a 2xx.
        func json<Content: Decodable>(_ type: Content.Type) throws -> Content {
            guard (200..<300).contains(status) else {
                throw SiblingProgram.Failure(
                    description: "answered with \(status) \(String(decoding: body, as: UTF8.self))"
                )
            }
            return try JSONDecoder().decode(type, from: body)
        }
    }

    /// How long an answer is waited for.
    private static let patience = TimeAmount.seconds(15)
    private static let answerBytes = 64 << 20

    /// One client for the life of the process.
    private static let client = {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(2)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Sends a request and reads its answer.
    func send(
        _ method: HTTPMethod,
        _ url: String,
        key: String? = nil,
        body: Data? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let response = try await Self.client.execute(request, timeout: Self.patience)
        let content = try await response.body.collect(upTo: Self.answerBytes)
        return Answer(status: Int(response.status.code), body: Data(content.readableBytesView))
    }

    /// Sends a body of JSON by POST.
    func post(_ url: String, _ content: some Encodable, key: String? = nil) async throws -> Answer {
        try await send(.POST, url, key: key, body: try JSONEncoder().encode(content))
    }
}
