import Contracts
import Foundation
import Hummingbird
import NIOCore
import Program
import ServiceLifecycle

/// `/v1/receipts`: a phone hands a proof of payment in and is told what became of it.
struct ReceiptsRoutes: Sendable {
    /// How long a phone waits when it does not say, in ms.
    static let standardWait = 5_000
    /// How long a phone may wait, in ms.
    static let waits = 0...30_000
    /// The largest proof, in bytes of JSON text; the rest of 4 MiB is for what travels around it.
    static let maximumProofBytes = 3 << 20

    let edge: Edge

    /// The routes of the resource.
    var routes: [Route] {
        [
            Route(.post, "/v1/receipts", submit),
            Route(.get, "/v1/receipts/{receiptId}", get),
        ]
    }

    private struct SubmitBody: Decodable {
        let bundleId: String
        let buyerId: String
        let orderId: String?
        let signedTransaction: String?
        let appReceipt: String?
        let transactionReceipt: String?
        let deviceId: String?
    }

    @Sendable private func submit(_ request: Request, _ context: BasicRequestContext) async throws -> Response
    {
        let app = try edge.authentication.app(request.headers)
        let wait = try Query(request).integer("wait", default: Self.standardWait, in: Self.waits)
        let lane = edge.admission.purchases
        let receipt = try await edge.withBody(of: request, upTo: .receipt, in: lane) { bytes in
            guard bytes.readableBytes > JSONBody.hugeBytes else { return try await keep(bytes, app) }
            return try await edge.admission.hugeProofs.run { try await keep(bytes, app) }
        }
        return try await accepted(VerdictWaitV1(bundleId: app.bundleId, receiptId: receipt, wait: wait))
    }

    /// Has the proof in a body kept.
    private func keep(_ bytes: ByteBuffer, _ app: Configuration.App) async throws -> ReceiptID {
        let body = try await JSONBody.decodeApart(SubmitBody.self, from: bytes)
        return try await edge.partitions.submit(check(body, app: app)).receiptId
    }

    /// Waits for the verdict on a proof that is kept: whatever happens now, it is at worst `pending`.
    private func accepted(_ question: VerdictWaitV1) async throws -> Response {
        let verdict: ReceiptVerdictV1
        do {
            verdict = try await wait(question)
        } catch {
            verdict = ReceiptVerdictV1(receiptId: question.receiptId, verdict: .pending)
        }
        return try answer(verdict)
    }

    @Sendable private func get(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let app = try edge.authentication.app(request.headers)
        let wait = try Query(request).integer("wait", default: 0, in: Self.waits)
        guard let receipt = ReceiptID(rawValue: try context.pathParameter("receiptId")) else {
            throw Problem.notFound("No receipt has this id.", field: "receiptId")
        }
        return try answer(
            try await self.wait(VerdictWaitV1(bundleId: app.bundleId, receiptId: receipt, wait: wait))
        )
    }

    /// Asks for the verdict; when the gateway is asked to stop, the wait ends with what is known then.
    private func wait(_ question: VerdictWaitV1) async throws -> ReceiptVerdictV1 {
        let partitions = edge.partitions
        guard question.wait > 0 else { return try await partitions.verdict(question) }
        do {
            return try await cancelWhenGracefulShutdown { try await partitions.verdict(question) }
        } catch  where Task.isShuttingDownGracefully {
            var known = question
            known.wait = 0
            return try await partitions.verdict(known)
        }
    }

    private func answer(_ verdict: ReceiptVerdictV1) throws -> Response {
        try .json(ReceiptAnswer(verdict), status: verdict.verdict == .pending ? .accepted : .ok)
    }

    private func check(_ body: SubmitBody, app: Configuration.App) throws(Problem) -> ReceiptSubmitV1 {
        let bundle = try Field.bundle(body.bundleId, of: app)
        let buyer = try Field.buyer(body.buyerId)
        let (kind, proof) = try Self.proof(of: body)
        try checkSize(of: proof, field: kind.rawValue)
        return ReceiptSubmitV1(
            bundleId: bundle,
            buyerId: buyer,
            orderId: Field.hint(body.orderId),
            kind: kind,
            proof: proof,
            deviceId: try body.deviceId.map { text throws(Problem) in try Field.device(text) }
        )
    }

    /// The one proof of a body.
    private static func proof(of body: SubmitBody) throws(Problem) -> (ProofKind, String) {
        let proofs = ProofKind.allCases.compactMap { kind in
            switch kind {
            case .signedTransaction: body.signedTransaction.map { (kind, $0) }
            case .appReceipt: body.appReceipt.map { (kind, $0) }
            case .transactionReceipt: body.transactionReceipt.map { (kind, $0) }
            }
        }
        guard let proof = proofs.first else { throw .unacceptable("signedTransaction", "is missing") }
        guard proofs.count == 1 else {
            throw .unacceptable(proofs[1].0.rawValue, "stands beside `\(proof.0.rawValue)`; send one proof")
        }
        return proof
    }

    /// Refuses a proof that would not fit into a request to its partition; what is not ASCII grows on the way.
    private func checkSize(of proof: String, field: String) throws(Problem) {
        let mostPerByte = 6
        guard proof.utf8.count > Self.maximumProofBytes / mostPerByte else { return }
        let size = proof.utf8.reduce(0) { size, byte in
            switch byte {
            case ..<0x20, 0x7F: size + mostPerByte
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): size + 2
            default: size + 1
            }
        }
        guard size <= Self.maximumProofBytes else {
            throw .tooLarge(limit: Self.maximumProofBytes, field: field)
        }
    }
}
