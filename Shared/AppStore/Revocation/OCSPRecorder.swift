import NIOConcurrencyHelpers
import X509

/// Sends one check's OCSP requests (RFC 6960 appendix A) and records their outcomes.
///
/// An unreachable responder is no error, so that the policy goes on to the next certificate: if the policy
/// fails, it has read a response.
struct OCSPRecorder: OCSPRequester {
    /// The limit of Apple's own library.
    static let responseLimit = 1 << 20

    /// HTTP status 200, whatever the response is worth; also when in doubt.
    enum Outcome {
        case responded
        case unknown(UnknownRevocation)

        var reason: UnknownRevocation? { if case .unknown(let reason) = self { reason } else { nil } }
    }

    let transport: any AppleTransport
    private let recorded = NIOLockedValueBox<[Outcome]>([])

    init(over transport: any AppleTransport) { self.transport = transport }

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
            // The policy cancels after its ten seconds.
            return record(.noResponse(error == .cancelled ? .timedOut : error))
        }
    }

    private func record(_ reason: UnknownRevocation) -> OCSPRequesterQueryResult {
        recorded.withLockedValue { $0.append(.unknown(reason)) }
        return .nonTerminalError(NoResponse())
    }

    private struct NoResponse: Error {}
}
