import Contracts
import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Program
import ServiceLifecycle

/// `/v1/receipts`: a phone submits a proof of payment and gets a verdict.
struct ReceiptsRoutes: Sendable {
    /// The default wait of a phone, ms.
    static let standardWait = 5_000
    /// The timeout of a wait beyond the requested time, ms.
    static let waitMarginMilliseconds: Int64 = 1_000
    /// The reason of a verdict on a proof that nobody can read.
    private static let malformed = "malformed"
    /// The largest proof, in bytes of JSON text.
    static let maximumProofBytes = Limits.proofTextBytes
    /// The longest text that is read as a JWS to find its claim; Receipts takes no longer ones.
    static let maximumJWSBytes = Limits.jwsBytes

    private struct SubmitBody: NamedBody {
        enum CodingKeys: String, CodingKey, CaseIterable {
            case bundleId, buyerId, orderId, signedTransaction, appReceipt, transactionReceipt, transactionId,
                deviceId, intent, purchasedBy
        }

        let bundleId: String
        let buyerId: String
        let orderId: Hint?
        let signedTransaction: String?
        let appReceipt: String?
        let transactionReceipt: String?
        let transactionId: String?
        let deviceId: Hint?
        let intent: String?
        let purchasedBy: String?
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.appRoute(.post, "/v1/receipts", for: .phones, submit),
            gateway.appRoute(.get, "/v1/receipts/{receiptId}", for: .phones, get),
        ]
    }

    @Sendable private func submit(_ request: AppRequest) async throws -> Response {
        let app = request.app
        let milliseconds = try request.query("wait", default: Self.standardWait, in: Limits.waitMilliseconds)
        var recorded = try await request.withBody(upTo: .receipt) { try await record($0, request) }
        recorded.wait.wait = milliseconds
        let verdict: ReceiptVerdictV1
        do {
            verdict = try await self.verdict(recorded.wait)
        } catch {
            // The proof is recorded: whatever happens now, it is at worst `pending`.
            return try response(ReceiptVerdictV1(receiptId: recorded.wait.receiptId, verdict: .pending))
        }
        let isMalformed = verdict.reason == Self.malformed
        if isMalformed, recorded.advice == nil { gateway.malformedProofs.count(nil, of: app.bundleId) }
        return try response(verdict, detail: isMalformed ? recorded.advice : nil)
    }

    /// A submission that is recorded.
    private struct Recorded {
        /// The question after its verdict.
        var wait: VerdictWaitV1
        /// What to do if nobody can read its proof.
        let advice: String?
    }

    private func record(_ bytes: ByteBuffer, _ request: AppRequest) async throws -> Recorded {
        let app = request.app
        let submission = try await submission(in: bytes, request.caller)
        RequestNote.add(submission)
        let wait = VerdictWaitV1(
            bundleId: app.bundleId,
            receiptId: try await record(submission, bytes: bytes.readableBytes),
            wait: 0,
            restores: submission.intent == .restore ? true : nil
        )
        let shape = ProofShape(of: submission.proof)
        if let shape { gateway.malformedProofs.count(shape, of: app.bundleId) }
        return Recorded(wait: wait, advice: shape?.advice(for: submission.kind))
    }

    // A method of its own: in one with `record`, the optimizer of Swift 6.3 crashes when it splits the coroutine.
    private func submission(
        in bytes: ByteBuffer,
        _ caller: Caller
    ) async throws -> ReceiptSubmitV1 {
        try await gateway.loadShedder.hugeProofs.read(bytes.readableBytes) {
            try await JSONBody.decodeApart(SubmitBody.self, from: bytes) { try check($0, caller) }
        }
    }

    /// Has the proof stored beside the claim that it states, or else in the buyer's partition.
    private func record(_ submission: ReceiptSubmitV1, bytes: Int) async throws -> ReceiptID {
        var submission = submission
        submission.originalTransactionId = statedTransaction(in: submission)
        if submission.originalTransactionId != nil {
            switch try await ask(submission, bytes: bytes) {
            case .stored(let receipt): return receipt
            case .askBuyersPartition: submission.originalTransactionId = nil
            }
        }
        switch try await ask(submission, bytes: bytes) {
        case .stored(let receipt): return receipt
        // That was the buyer's partition.
        case .askBuyersPartition: throw Problem.unanswered
        }
    }

    private func ask(_ submission: ReceiptSubmitV1, bytes: Int) async throws -> ReceiptSubmittedV1 {
        let partitions = gateway.partitions
        return try await gateway.loadShedder.hugeProofs.ask(
            submission.route.owner(of: partitions.count),
            bytes
        ) { try await partitions.ask(submission) }
    }

    /// The transaction whose claim decides on the proof, unverified; one partition needs no choice.
    ///
    /// The text decides, not the field in which it came: one proof goes to one partition.
    private func statedTransaction(in submission: ReceiptSubmitV1) -> TransactionID? {
        struct Payload: Decodable { let originalTransactionId: TransactionID }
        guard gateway.partitions.count > 1 else { return nil }
        let (proof, limit) = (submission.proof, Self.maximumJWSBytes)
        return UnverifiedJWS.payload(of: proof, as: Payload.self, maximumBytes: limit)?.originalTransactionId
    }

    @Sendable private func get(_ request: AppRequest) async throws -> Response {
        let milliseconds = try request.query("wait", default: 0, in: Limits.waitMilliseconds)
        guard let receipt = ReceiptID(rawValue: try request.path("receiptId")) else {
            throw Problem.notFound("No receipt has this id.", field: "receiptId")
        }
        let wait = VerdictWaitV1(
            bundleId: request.app.bundleId,
            receiptId: receipt,
            wait: milliseconds,
            buyerId: request.caller.onlyBuyer
        )
        return try response(try await verdict(wait))
    }

    /// Asks for the verdict; when the gateway stops, the wait ends with the current one.
    private func verdict(_ wait: VerdictWaitV1) async throws -> ReceiptVerdictV1 {
        let partitions = gateway.partitions
        let ask = { @Sendable (wait: VerdictWaitV1) in
            let timeout = Int64(wait.wait) + Self.waitMarginMilliseconds
            return try await partitions.ask(wait, within: timeout)
        }
        guard wait.wait > 0 else { return try await ask(wait) }
        do {
            return try await cancelWhenGracefulShutdown { try await ask(wait) }
        } catch  where Task.isShuttingDownGracefully {
            var known = wait
            known.wait = 0
            return try await ask(known)
        }
    }

    private func response(_ verdict: ReceiptVerdictV1, detail: String? = nil) throws -> Response {
        let status: HTTPResponse.Status = verdict.verdict == .pending ? .accepted : .ok
        return try .json(ReceiptResponse(verdict, detail: detail), status: status)
    }

    private func check(_ body: SubmitBody, _ caller: Caller) throws(Problem) -> ReceiptSubmitV1 {
        let bundle = try Field.bundle(body.bundleId, of: caller.app)
        let buyer = try caller.buyer(body.buyerId)
        let (kind, proof) = try Self.proof(of: body)
        // Anybody may know a transaction's id, and try many: only a server may have Apple asked about one.
        if kind == .transactionId { try caller.check(.serversOnly) }
        try Self.checkSize(of: proof, field: kind.rawValue)
        let purchasedBy = try Self.purchaser(of: body, handedInBy: buyer)
        let intent = try Self.intent(of: body)
        return ReceiptSubmitV1(
            bundleId: bundle,
            buyerId: buyer,
            orderId: Field.orderHint(body.orderId),
            kind: kind,
            proof: proof,
            deviceId: Field.deviceHint(body.deviceId),
            // Nobody restores what another login has bought.
            intent: purchasedBy == nil ? intent : nil,
            purchasedBy: purchasedBy
        )
    }

    private static func intent(of body: SubmitBody) throws(Problem) -> Submission.Intent? {
        try body.intent.map { text throws(Problem) in
            guard let intent = Submission.Intent(rawValue: text), intent == .restore else {
                throw .unacceptable("intent", "must be \"restore\", or absent")
            }
            return intent
        }
    }

    /// The other login that has bought it; nil where the buyer has.
    private static func purchaser(
        of body: SubmitBody,
        handedInBy buyer: BuyerID
    ) throws(Problem) -> BuyerID? {
        guard let text = body.purchasedBy else { return nil }
        let rule = "1 to 128 bytes of printable text"
        let purchaser: BuyerID = try Field.identifier(text, "purchasedBy", rule)
        return purchaser == buyer ? nil : purchaser
    }

    private static func proof(of body: SubmitBody) throws(Problem) -> (ProofKind, String) {
        let proofs: KeyValuePairs<ProofKind, String?> = [
            .signedTransaction: body.signedTransaction, .appReceipt: body.appReceipt,
            .transactionReceipt: body.transactionReceipt, .transactionId: body.transactionId,
        ]
        let sent = proofs.compactMap { kind, proof in proof.map { (kind, $0) } }
        guard let proof = sent.first else { throw .unacceptable("signedTransaction", "is missing") }
        guard sent.count == 1 else {
            throw .unacceptable(sent[1].0.rawValue, "stands beside `\(proof.0.rawValue)`; send one proof")
        }
        return proof
    }

    /// Refuses a proof too large for a request to its partition; JSON escapes make it larger.
    private static func checkSize(of proof: String, field: String) throws(Problem) {
        let mostPerByte = 6
        guard proof.utf8.count > maximumProofBytes / mostPerByte else { return }
        var proof = proof
        let size = proof.withUTF8 { utf8 in
            utf8.reduce(0) { size, byte in
                switch byte {
                case ..<0x20, 0x7F: size + mostPerByte
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): size + 2
                default: size + 1
                }
            }
        }
        guard size <= maximumProofBytes else { throw .tooLarge(limit: maximumProofBytes, field: field) }
    }
}
