/// One request over HTTP/1.1 or 2; no redirection is followed.
///
/// It may reach the server twice: where a kept connection is closed without an answer, it is sent once more on another.
package struct HTTPCall: Sendable {
    /// What becomes of the body of the answer.
    package enum Body: Sendable {
        /// Read whole; above `limit` bytes the call fails.
        case wanted(limit: Int)
        /// Read up to `limit` bytes and for `time` ms after the head, so that the connection can serve the next call;
        /// whatever comes of it, the call has succeeded.
        case ignored(limit: Int, time: Int64)
    }

    package var method: String
    package var url: String
    package var headers: [(name: String, value: String)] = []
    package var content: [UInt8]?
    /// For the answer as far as it is wanted, ms.
    package var timeout: Int64
    package var body: Body

    package init(_ method: String, _ url: String, timeout: Int64, body: Body) {
        self.method = method
        self.url = url
        self.timeout = timeout
        self.body = body
    }
}

/// What a server answers.
package struct HTTPAnswer: Sendable {
    package var status: Int
    /// The header of that name as it was sent.
    package var retryAfter: String?
    /// Empty where the body is ignored.
    package var body: [UInt8]

    package init(status: Int, retryAfter: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Why there is no answer; the server may still have done what it was asked.
package enum HTTPFailure: String, Error, Hashable, Sendable {
    case timedOut
    /// The body is larger than its limit.
    case tooLarge
    /// The task was cancelled.
    case cancelled
    /// The name is unknown, nobody listens, the URL is none.
    case notConnected
    /// No TLS connection, or a certificate that is not trusted.
    case notSecured
    /// The server closed the connection before its answer was complete.
    case closed
    /// The connection broke.
    case broken
    /// An answer that is no HTTP, or a call that the library refuses.
    case invalid
}
