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
