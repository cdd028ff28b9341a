import Contracts
import Database
import Delivery

struct SubmissionRecord: Equatable {
    let receiptID: ReceiptID
    let bundleID: BundleID
    let buyerID: BuyerID
    /// The order that it names, whether or not that counts (`SubmissionHints`).
    var orderHint: String?
    /// Until when it restores purchases of other logins; nil where it does not.
    var restore: RestoreWindow?
    /// The other login that has bought it, as the phone says; nil where the buyer has.
    var purchasedBy: BuyerID?
    let proof: Proof
    var findings: ProofContents?
    /// Apple's verdict; such a proof is not read again.
    var failure: ProofFailure?
    /// SHA-256 over the signed content and signature, once the text is dropped.
    var droppedDigest: [UInt8]?

    /// The submission as its claims learn of it at a time.
    func submission(at now: Timestamp) -> Submission {
        let hints = hints
        return Submission(
            receiptId: receiptID,
            submitter: buyerID,
            orderId: hints.order,
            intent: restore?.intent(at: now),
            isForAnother: hints.isForAnother ? true : nil
        )
    }

    private var hints: SubmissionHints {
        SubmissionHints(of: proof.kind, purchasedBy: purchasedBy, order: orderHint)
    }

    /// Whether its claims learn nothing new by a later submission of the same proof; one without an order names none.
    func covers(_ later: SubmissionRecord, at now: Timestamp) -> Bool {
        let told = submission(at: now)
        var news = later.submission(at: now)
        news.orderId = news.orderId ?? told.orderId
        return news == told
    }
}

extension SubmissionRecord {
    init(_ request: ReceiptSubmitV1, _ proof: Proof, now: Timestamp) {
        self.init(
            receiptID: ReceiptID(
                bundleID: request.bundleId,
                buyer: request.buyerId,
                proof: proof,
                chain: request.originalTransactionId
            ),
            bundleID: request.bundleId,
            buyerID: request.buyerId,
            orderHint: OrderHint.bounded(request.orderId),
            restore: request.intent == .restore ? RestoreWindow(from: now) : nil,
            purchasedBy: request.purchasedBy == request.buyerId ? nil : request.purchasedBy,
            proof: proof
        )
        if hints.isForAnother { restore = nil }
    }

    static let columns = """
        receipt_id, bundle_id, buyer_id, order_hint, restores_until, purchased_by, kind, proof, device_id, findings,
          state, reason, is_decoded, chain_at, digest, (
            SELECT chain FROM certificate_chain WHERE certificate_chain.chain_id = submission.chain_id
          ) AS chain
        """

    init(_ row: Row) throws(StoreError) {
        let reason: String? = try row["reason"]
        let failure = reason.flatMap(ProofFailure.init(rawValue:))
        let restoresUntil: Timestamp? = try row["restores_until"]
        self.init(
            receiptID: try row["receipt_id"],
            bundleID: try row["bundle_id"],
            buyerID: try row["buyer_id"],
            orderHint: try row["order_hint"],
            restore: restoresUntil.map(RestoreWindow.init(end:)),
            purchasedBy: try row["purchased_by"],
            proof: try Proof(row),
            findings: try row.json("findings"),
            failure: failure?.isOfApple == true ? failure : nil,
            droppedDigest: try row["digest"]
        )
    }
}

extension Proof {
    fileprivate init(_ row: Row) throws(StoreError) {
        var bytes: [UInt8] = try row["proof"]
        var certificates = 0..<0
        if let place: Int = try row["chain_at"] {
            let chain: [UInt8] = try row["chain"]
            guard (0...bytes.count).contains(place) else { throw .corrupt("submission.chain_at") }
            bytes.insert(contentsOf: chain, at: place)
            certificates = place..<place + chain.count
        }
        self.init(
            kind: try row["kind"],
            bytes: bytes,
            isDecoded: try row["is_decoded"],
            certificates: certificates,
            deviceID: try row["device_id"]
        )
    }
}
