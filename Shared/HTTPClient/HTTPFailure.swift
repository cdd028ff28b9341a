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
