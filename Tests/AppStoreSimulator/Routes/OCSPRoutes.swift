import AppStoreSigning
import HTTPTypes
import Hummingbird
import NIOCore

/// `/ocsp`, which answers for the certificates, and `/_control/revocations`, which says what.
struct OCSPRoutes: Sendable {
    let store: SimulatedStore

    func add(to router: Router<SimulatorContext>) {
        router.post("ocsp", use: answer)
    }

    func addControl(to control: RouterGroup<SimulatorContext>) {
        control.post("revocations", use: revoke)
        control.get("revocations") { _, _ in
            try Response.json(["questions": await store.revocations.questions])
        }
    }

    @Sendable private func answer(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        guard request.headers[.contentType] == "application/ocsp-request" else {
            throw Problem(.unsupportedMediaType, "the body is not application/ocsp-request")
        }
        let buffer = try await request.body.collect(upTo: JSONBody.maximumBytes)
        let statuses = await store.revocations.ask()
        let answer =
            try store.signers.responder?.answer(
                to: Array(buffer.readableBytesView),
                now: store.now(),
                flaw: flaw(context.signature)
            ) { statuses[$0] ?? .good } ?? OCSPResponder.refusal(.unauthorized)
        return Response(
            status: .ok,
            headers: [.contentType: "application/ocsp-response"],
            body: .init(byteBuffer: ByteBuffer(bytes: answer))
        )
    }

    /// The faults that concern signatures mean this here.
    private func flaw(_ quality: SignatureQuality) -> OCSPFlaw? {
        switch quality {
        case .genuine: nil
        case .forged: .forged
        case .expired: .stale
        }
    }

    private struct Revocation: Codable {
        let certificate: OCSPSubject
        /// Revoked, if absent.
        let status: OCSPStatus?
    }

    @Sendable private func revoke(_ request: Request, _ context: SimulatorContext) async throws -> Response {
        let wanted: Revocation = try await JSONBody.read(request)
        let status = wanted.status ?? .revoked
        await store.revocations.set(wanted.certificate, status)
        return try .json(Revocation(certificate: wanted.certificate, status: status))
    }
}
