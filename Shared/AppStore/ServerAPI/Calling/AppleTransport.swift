/// Sends requests to Apple, over the network or from a test's script.
package protocol AppleTransport: Sendable {
    /// Reads the whole response, whatever its status; follows no redirection.
    func execute(_ request: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse
}
