import Contracts
import Database
import ReceiptsCore
import ReceiptsCore

/// The row of one submission: who handed in which proof.
struct SubmissionRecord: Equatable {
    let receiptID: ReceiptID
    let bundleID: BundleID
    let buyerID: BuyerID
    /// The order that was named, as it came.
    let orderHint: String?
    let proof: Proof
    /// What Apple answered when it was asked about the proof; nil when it was not, or has not answered.
    var findings: ProofContents?
    /// What it was judged to be for good, or by Apple: of such a proof nothing is read again.
    var failure: ProofFailure?

    /// Whose verdict must come home.
    var submission: Submission { Submission(receiptId: receiptID, submitter: buyerID, orderId: orderHint) }

    /// The buyer as the key of order.
    var subject: String { bundleID.rawValue + "/" + buyerID.rawValue }
}

extension SubmissionRecord {
    /// The submission that a request makes.
    init(_ request: ReceiptSubmitV1) {
        let proof = Proof(kind: request.kind, text: request.proof, deviceID: request.deviceId)
        self.init(
            receiptID: ReceiptID(bundleID: request.bundleId, buyer: request.buyerId, proof: proof),
            bundleID: request.bundleId,
            buyerID: request.buyerId,
            orderHint: OrderHint.kept(request.orderId),
            proof: proof
        )
    }

    private static func failure(state: String, reason: String?) throws(StoreError) -> ProofFailure? {
        guard let failure = reason.flatMap(ProofFailure.init(rawValue:)) else { return nil }
        let isInvalid = state == SubmissionReading.State.invalid.rawValue
        return isInvalid || (failure.isOfApple && state == SubmissionReading.State.parked.rawValue)
            ? failure : nil
    }

    /// The columns that `init(row:)` reads.
    static let columns =
        "receipt_id, bundle_id, buyer_id, order_hint, kind, proof, device_id, findings, state, reason"

    /// The record in a row of `columns`.
    init(row: Row) throws(StoreError) {
        guard let kind = ProofKind(rawValue: try row.text(4)) else { throw .corrupt("submission.kind") }
        self.init(
            receiptID: ReceiptID(unchecked: try row.text(0)),
            bundleID: BundleID(unchecked: try row.text(1)),
            buyerID: BuyerID(unchecked: try row.text(2)),
            orderHint: try row.optionalText(3),
            proof: Proof(
                kind: kind,
                text: String(decoding: try row.blob(5), as: UTF8.self),
                deviceID: try row.optionalText(6)
            ),
            findings: try row.optionalText(7).map(ProofContents.init(stored:)),
            failure: try Self.failure(state: try row.text(8), reason: try row.optionalText(9))
        )
    }
}
