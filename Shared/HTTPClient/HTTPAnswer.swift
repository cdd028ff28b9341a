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
