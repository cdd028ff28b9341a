import NIOConcurrencyHelpers
import X509

/// Sends the OCSP requests of one check to the responders (RFC 6960 appendix A) and records what became of each.
///
/// A responder that cannot be reached is no error for the policy, so that it goes on to the next certificate: a policy
/// that fails has read a response.
struct OCSPRecorder: OCSPRequester {
    /// Bytes of the longest response, as in Apple's own library.
    static let responseLimit = 1 << 20

    /// In doubt, or answered with HTTP status 200, whatever the response is worth.
    enum Outcome {
        case responded
        case unknown(UnknownRevocation)

        var reason: UnknownRevocation? { if case .unknown(let reason) = self { reason } else { nil } }
    }

    let transport: any AppleTransport
    private let recorded = NIOLockedValueBox<[Outcome]>([])

    init(over transport: any AppleTransport) { self.transport = transport }

    /// In the order of the chain.
    var outcomes: [Outcome] { recorded.withLockedValue { $0 } }

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
            recorded.withLockedValue { $0.append(.responded) }
            return .response(response.body)
        } catch {
            // The policy cancels when its ten seconds are over.
            return record(.noResponse(error == .cancelled ? .timedOut : error))
        }
    }

    private func record(_ reason: UnknownRevocation) -> OCSPRequesterQueryResult {
        recorded.withLockedValue { $0.append(.unknown(reason)) }
        return .nonTerminalError(NoResponse())
    }

    private struct NoResponse: Error {}
}
