import HTTPClient

/// HTTP/1.1 or 2 on persistent connections.
package struct HTTPTransport: AppleTransport {
    package init() {}

    /// Sends `request` over the network.
    package func execute(_ request: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse {
        do throws(HTTPFailure) {
            let answer = try await HTTPClient.shared.execute(HTTPCall(request))
            return AppleHTTPResponse(status: answer.status, retryAfter: answer.retryAfter, body: answer.body)
        } catch {
            throw TransportFailure(error)
        }
    }
}

extension HTTPCall {
    fileprivate init(_ request: AppleHTTPRequest) {
        self.init(
            request.method.rawValue,
            request.url,
            timeout: request.timeout,
            body: .wanted(limit: request.responseLimit)
        )
        headers.append(("accept", request.accept))
        if let token = request.token { headers.append(("authorization", "Bearer \(token)")) }
        if let bytes = request.body {
            headers.append(("content-type", request.contentType))
            content = bytes
        }
    }
}

extension TransportFailure {
    fileprivate init(_ failure: HTTPFailure) {
        switch failure {
        case .timedOut: self = .timedOut
        case .tooLarge: self = .tooLarge
        case .cancelled: self = .cancelled
        case .notConnected, .notSecured, .closed, .broken, .invalid: self = .unreachable
        }
    }
}
