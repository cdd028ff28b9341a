import Contracts
import Database
import Delivery
import ReceiptsCore

struct SubmissionRecord: Equatable {
    let receiptID: ReceiptID
    let bundleID: BundleID
    let buyerID: BuyerID
    var orderHint: String?
    let proof: Proof
    var findings: ProofContents?
    /// Apple's verdict; such a proof is not read again.
    var failure: ProofFailure?
    /// SHA-256 over the signed content and signature, once the text is dropped.
    var droppedDigest: [UInt8]?

    var submission: Submission { Submission(receiptId: receiptID, submitter: buyerID, orderId: orderHint) }
}

extension SubmissionRecord {
    init(_ request: ReceiptSubmitV1) {
        let proof = Proof(kind: request.kind, text: request.proof, deviceID: request.deviceId)
        self.init(
            receiptID: ReceiptID(bundleID: request.bundleId, buyer: request.buyerId, proof: proof),
            bundleID: request.bundleId,
            buyerID: request.buyerId,
            orderHint: OrderHint.bounded(request.orderId),
            proof: proof
        )
    }

    private static func failure(state: String, reason: String?) throws(StoreError) -> ProofFailure? {
        guard let failure = reason.flatMap(ProofFailure.init(rawValue:)) else { return nil }
        let states: [SubmissionAssessment.State] = [.invalid, .parked]
        return failure.isOfApple && states.contains { $0.stored == state } ? failure : nil
    }

    static let columns = """
        receipt_id, bundle_id, buyer_id, order_hint, kind, proof, device_id, findings, state, reason, is_decoded, \
        chain_at, (SELECT chain FROM certificate_chain WHERE certificate_chain.chain_id = submission.chain_id), digest
        """

    init(row: Row) throws(StoreError) {
        guard let kind = ProofKind(rawValue: try row.text(4)) else { throw .corrupt("submission.kind") }
        var bytes = try row.blob(5)
        var certificates = 0..<0
        if row.has(11) {
            let (place, chain) = (try row.int(11), try row.blob(12))
            guard (0...bytes.count).contains(place) else { throw .corrupt("submission.chain_at") }
            bytes.insert(contentsOf: chain, at: place)
            certificates = place..<place + chain.count
        }
        self.init(
            receiptID: ReceiptID(unchecked: try row.text(0)),
            bundleID: BundleID(unchecked: try row.text(1)),
            buyerID: BuyerID(unchecked: try row.text(2)),
            orderHint: try row.optionalText(3),
            proof: Proof(
                kind: kind,
                bytes: bytes,
                isDecoded: try row.int(10) == 1,
                certificates: certificates,
                deviceID: try row.optionalText(6)
            ),
            findings: try row.optionalText(7).map(JSONColumn.value(of:)),
            failure: try Self.failure(state: try row.text(8), reason: try row.optionalText(9)),
            droppedDigest: row.has(13) ? try row.blob(13) : nil
        )
    }
}
