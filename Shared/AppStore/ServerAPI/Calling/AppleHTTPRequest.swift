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
