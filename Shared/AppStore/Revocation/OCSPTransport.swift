/// The way a question about certificates takes (RFC 6960 appendix A): HTTP in service, a table of answers in tests.
package protocol OCSPTransport: Sendable {
    /// Posts `request`, which is DER, to a responder, and reads the whole answer, whatever its status.
    func ask(_ request: [UInt8], at url: String) async throws(TransportFailure) -> AppleAnswer
}
