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
