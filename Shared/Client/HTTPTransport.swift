#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How requests travel: `URLSessionTransport` on a phone, or a fake.
public protocol HTTPTransport: Sendable {
    /// Sends it once. The answer, whatever its status; throws where none came within the request's time limit.
    func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportAnswer
}

/// A request to the gateway.
public struct HTTPTransportRequest: Equatable, Sendable {
    /// Such as `POST`.
    public var method: String
    /// From the root on, percent-encoded, with the query.
    public var path: String
    /// By name.
    public var headers: [String: String]
    /// JSON, where there is one.
    public var body: Data?
    /// Within which the answer must have come.
    public var timeoutMilliseconds: Int64
}

/// What came back.
public struct HTTPTransportAnswer: Equatable, Sendable {
    /// The status of HTTP.
    public var status: Int
    /// Of `Retry-After`, as it came.
    public var retryAfter: String?
    /// As it came.
    public var body: Data

    /// For a transport of your own.
    public init(status: Int, retryAfter: String? = nil, body: Data) {
        (self.status, self.retryAfter, self.body) = (status, retryAfter, body)
    }
}
