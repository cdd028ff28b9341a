/// Sends requests to Apple, over the network or from a test's script.
package protocol AppleTransport: Sendable {
    /// Reads the whole response, whatever its status; follows no redirection.
    func execute(_ request: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse
}

/// One HTTP request to Apple.
package struct AppleHTTPRequest: Hashable, Sendable {
    /// The HTTP methods of Apple's endpoints.
    package enum Method: String, Sendable { case get = "GET", post = "POST", put = "PUT" }

    /// Ms; Apple's own client waits twice as long, but all calls wait for the one that tests whether Apple is
    /// back.
    package static let longestTimeout: Int64 = 15_000

    package var method: Method
    package var url: String
    package var token: String?
    package var body: [UInt8]?
    package var contentType = "application/json"
    package var accept = "application/json"
    /// Bytes.
    package var responseLimit: Int
    /// For the whole response, ms.
    package var timeout: Int64 = Self.longestTimeout
}

/// One HTTP response from Apple.
package struct AppleHTTPResponse: Hashable, Sendable {
    package var status: Int
    package var retryAfter: String?
    package var body: [UInt8]

    package init(status: Int, retryAfter: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Why there is no response; the server may still have handled the request.
package enum TransportFailure: String, Error, Hashable, Sendable {
    case timedOut
    case unreachable
    case tooLarge
    case cancelled
}
