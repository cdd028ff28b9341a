import NIOConcurrencyHelpers
import X509

/// Sends one check's OCSP requests (RFC 6960 appendix A) and records their outcomes.
///
/// An unreachable responder is no error, so that the policy goes on to the next certificate: if the policy
/// fails, it has read a response.
struct OCSPRecorder: OCSPRequester {
    /// The limit of Apple's own library.
    static let responseLimit = 1 << 20

    let transport: any AppleTransport
    private let recorded = NIOLockedValueBox<[UnknownRevocation?]>([])

    init(over transport: any AppleTransport) { self.transport = transport }

    /// Why each response is missing; nil for HTTP status 200, whatever that response is worth.
    var outcomes: [UnknownRevocation?] { recorded.withLockedValue { $0 } }

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        let query = AppleHTTPRequest(
            method: .post,
            url: uri,
            body: request,
            contentType: "application/ocsp-request",
            accept: "application/ocsp-response",
            responseLimit: Self.responseLimit
        )
        do throws(TransportFailure) {
            let response = try await transport.execute(query)
            guard response.status == 200 else { return record(.httpStatus(response.status)) }
            recorded.withLockedValue { $0.append(nil) }
            return .response(response.body)
        } catch {
            // The policy cancels after its ten seconds.
            return record(.noResponse(error == .cancelled ? .timedOut : error))
        }
    }

    private func record(_ reason: UnknownRevocation) -> OCSPRequesterQueryResult {
        recorded.withLockedValue { $0.append(reason) }
        return .nonTerminalError(NoResponse())
    }

    private struct NoResponse: Error {}
}
