#if canImport(StoreKit)
public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Requests over `URLSession`.
public struct URLSessionTransport: HTTPTransport {
    private let gateway: URL
    private let session: URLSession

    /// `gateway` is scheme and host, such as `https://pay.example.com`, and without a path: anything else ends the app;
    /// without a `session` it has one of its own, so that nothing else in the app takes its connections.
    public init(gateway: URL, session: URLSession = URLSession(configuration: .ephemeral)) {
        let isRoot = ["", "/"].contains(gateway.path) && gateway.scheme != nil && gateway.host != nil
        precondition(isRoot, "\(gateway) is not scheme and host alone")
        (self.gateway, self.session) = (gateway, session)
    }

    /// Sends it once, past every cache; it throws where no answer came: what was sent may have arrived.
    public func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportAnswer {
        guard let url = URL(string: request.path, relativeTo: gateway) else { throw URLError(.badURL) }
        var outgoing = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        outgoing.timeoutInterval = Double(request.timeoutMilliseconds) / 1_000
        outgoing.httpMethod = request.method
        outgoing.httpBody = request.body
        for (name, value) in request.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: outgoing)
        guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let retryAfter = answer.value(forHTTPHeaderField: "Retry-After")
        return HTTPTransportAnswer(status: answer.statusCode, retryAfter: retryAfter, body: body)
    }
}
#endif
