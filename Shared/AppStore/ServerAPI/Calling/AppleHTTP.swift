/// How a request to Apple is sent: over the network in service, from a script in tests.
package protocol AppleTransport: Sendable {
    /// Sends `request` and reads the whole response, whatever its status; follows no redirection.
    func execute(_ request: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse
}

/// One HTTP request to Apple.
package struct AppleHTTPRequest: Hashable, Sendable {
    /// The methods that Apple's endpoints know.
    package enum Method: String, Sendable { case get = "GET", post = "POST", put = "PUT" }

    /// Longest that a response may take, in ms; Apple's own client waits twice as long.
    ///
    /// While Apple is silent a single call tests whether it is back, and everything waits for that one.
    package static let longestTimeout: Int64 = 15_000

    package var method: Method
    package var url: String
    /// Sent as `Authorization: Bearer`; nil where Apple asks for none.
    package var token: String?
    package var body: [UInt8]?
    package var contentType = "application/json"
    package var accept = "application/json"
    /// A response of more bytes is not read.
    package var responseLimit: Int
    /// Timeout for the whole response, ms.
    package var timeout: Int64 = Self.longestTimeout
}

/// What came back, whoever sent it.
package struct AppleHTTPResponse: Hashable, Sendable {
    package var status: Int
    /// The value of `Retry-After`, where there is one.
    package var retryAfter: String?
    package var body: [UInt8]

    package init(status: Int, retryAfter: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Why there is no response; it does not say what the server did with the request.
package enum TransportFailure: String, Error, Hashable, Sendable {
    /// The timeout passed before the response was whole.
    case timedOut
    /// No connection, or one that broke.
    case unreachable
    /// More bytes than such a response has.
    case tooLarge
    /// The caller's task was cancelled.
    case cancelled
}
