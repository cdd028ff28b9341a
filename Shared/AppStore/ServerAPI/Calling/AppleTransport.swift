/// The way a call to Apple takes: HTTPS in service, a table of answers in tests.
package protocol AppleTransport: Sendable {
    /// Sends `call` and reads the whole answer, whatever its status; follows no redirection.
    func execute(_ call: AppleCall) async throws(TransportFailure) -> AppleAnswer
}

/// One HTTP request to Apple.
package struct AppleCall: Hashable, Sendable {
    /// The methods that Apple's endpoints know.
    package enum Method: String, Sendable { case get = "GET", post = "POST", put = "PUT" }

    /// Longest that an answer may take, in ms; Apple's own client waits twice as long.
    ///
    /// While Apple is silent a single call looks whether it is back, and everything waits for that one.
    package static let longestTimeout: Int64 = 15_000

    package var method: Method
    package var url: String
    /// Sent as `Authorization: Bearer`; nil where Apple asks for none.
    package var token: String?
    /// JSON; nil for none.
    package var body: [UInt8]?
    /// An answer of more bytes is not read.
    package var answerLimit: Int
    /// The whole answer must be there after so many ms.
    package var timeout: Int64 = Self.longestTimeout

    package init(method: Method, url: String, token: String?, body: [UInt8]?, answerLimit: Int) {
        self.method = method
        self.url = url
        self.token = token
        self.body = body
        self.answerLimit = answerLimit
    }
}

/// What came back, whoever sent it.
package struct AppleAnswer: Hashable, Sendable {
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

/// Why there is no answer; of what the server did with the call it says nothing.
package enum TransportFailure: String, Error, Hashable, Sendable {
    /// The time was up before the answer was whole.
    case timedOut
    /// No connection, or one that broke.
    case unreachable
    /// More bytes than such an answer has.
    case tooLarge
    /// The caller wants no answer any more.
    case cancelled
}
