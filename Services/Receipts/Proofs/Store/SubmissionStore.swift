import Contracts
import Crypto
import Database
import Delivery

struct SubmissionStore {
    /// Smaller certificates stay in the proof, bytes: a reference saves nothing.
    private static let leastCertificateBytes = 512

    let connection: any Connection

    /// Stores a submission; a later order hint replaces an earlier one.
    func save(
        _ record: SubmissionRecord,
        _ assessment: SubmissionAssessment,
        request: EventID,
        now: Timestamp
    ) throws {
        let proof = record.proof
        // Genuine certificates are Apple's, a handful; forged ones stay with their proof.
        let isSplit =
            assessment.knowledge >= .genuine && proof.certificates.count >= Self.leastCertificateBytes
        let chain = isSplit ? try add(certificates: Array(proof.bytes[proof.certificates])) : nil
        var bytes = proof.bytes
        if isSplit { bytes.removeSubrange(proof.certificates) }
        try connection.execute(
            """
            INSERT INTO submission (receipt_id, bundle_id, buyer_id, order_hint, restores_until, purchased_by, kind,
              proof, is_decoded, chain_id, chain_at, digest, size, device_id, state, reason,
              application_version, transaction_ids, request_id, requested_at, judged_at, findings)
            VALUES (\(record.receiptID), \(record.bundleID), \(record.buyerID), \(record.orderHint),
              \(record.restore?.end), \(record.purchasedBy), \(proof.kind), \(bytes), \(proof.isDecoded), \(chain),
              \(isSplit ? proof.certificates.lowerBound : nil), \(record.droppedDigest),
              \(bytes.count), \(proof.deviceID), \(assessment.state.stored), \(assessment.reason),
              \(assessment.applicationVersion), \(assessment.transactionIDs), \(request), \(now), \(now),
              \(try record.findings.map { try JSONColumn.text($0) }))
            ON CONFLICT (receipt_id) DO UPDATE SET kind = excluded.kind, proof = excluded.proof,
              is_decoded = excluded.is_decoded, chain_id = excluded.chain_id, chain_at = excluded.chain_at,
              digest = excluded.digest, size = excluded.size, device_id = excluded.device_id,
              order_hint = COALESCE(excluded.order_hint, submission.order_hint),
              restores_until = excluded.restores_until, purchased_by = excluded.purchased_by, state = excluded.state,
              reason = excluded.reason, application_version = excluded.application_version,
              transaction_ids = excluded.transaction_ids,
              request_id = excluded.request_id, requested_at = excluded.requested_at,
              judged_at = excluded.judged_at, findings = excluded.findings
            """
        )
    }

    /// Stores certificates once, as they are most of a proof's bytes; returns their key.
    private func add(certificates: [UInt8]) throws(StoreError) -> [UInt8] {
        let id = Array(SHA256.hash(data: certificates))
        try connection.execute(
            """
            INSERT INTO certificate_chain (chain_id, chain) VALUES (\(id), \(certificates))
            ON CONFLICT (chain_id) DO NOTHING
            """
        )
        return id
    }

    func save(_ findings: ProofContents?, of id: ReceiptID) throws {
        let text = try findings.map { try JSONColumn.text($0) }
        try connection.execute("UPDATE submission SET findings = \(text) WHERE receipt_id = \(id)")
    }

    /// Marks a submission as visited, so that others have their turn.
    func touch(_ id: ReceiptID, now: Timestamp) throws(StoreError) {
        try connection.execute("UPDATE submission SET judged_at = \(now) WHERE receipt_id = \(id)")
    }

    func judge(_ id: ReceiptID, _ assessment: SubmissionAssessment, now: Timestamp) throws(StoreError) {
        let changed = try connection.execute(
            """
            UPDATE submission SET state = \(assessment.state.stored), reason = \(assessment.reason),
              application_version = \(assessment.applicationVersion), transaction_ids = \(assessment.transactionIDs),
              judged_at = \(now)
            WHERE receipt_id = \(id)
            """
        )
        guard changed == 1 else { throw .corrupt("the submission \(id) is gone") }
    }

    func record(_ id: ReceiptID) throws(StoreError) -> SubmissionRecord? {
        try connection.row(
            "SELECT \(raw: SubmissionRecord.columns) FROM submission WHERE receipt_id = \(id)",
            SubmissionRecord.init(_:)
        )
    }

    /// A page of submissions by id, in a state or all, up to a size in bytes but at least one proof.
    func page(
        _ state: SubmissionAssessment.State? = nil,
        after id: String?,
        limit: Int,
        bytes: Int
    ) throws(StoreError) -> (records: [SubmissionRecord], isLast: Bool) {
        // A literal, so that SQLite uses the state's index.
        let isInState: SQL = state.map { "state = '\(raw: $0.stored)'" } ?? "TRUE"
        let rows = try connection.rows(
            """
            SELECT receipt_id, size FROM submission WHERE \(isInState) AND receipt_id > \(id ?? "")
            ORDER BY receipt_id LIMIT \(limit)
            """
        )
        var records: [SubmissionRecord] = []
        var rest = bytes
        for row in rows {
            rest -= try row["size"]
            guard rest >= 0 || records.isEmpty else { break }
            if let record = try record(row["receipt_id"]) { records.append(record) }
        }
        return (records, rows.count < limit && records.count == rows.count)
    }

    // MARK: Parked

    func status(of id: ReceiptID) throws(StoreError) -> RetryPage.ItemStatus {
        try connection.status(
            "SELECT state, reason FROM submission WHERE receipt_id = \(id)",
            of: "the submission \(id)"
        )
    }

    /// Deletes the buyer's other submissions that hold nothing yet.
    func dropPending(besides record: SubmissionRecord) throws(StoreError) {
        try connection.execute(
            """
            DELETE FROM submission
            WHERE state = 'pending' AND bundle_id = \(record.bundleID) AND buyer_id = \(record.buyerID)
              AND receipt_id <> \(record.receiptID) AND reason = \(ProofFailure.emptyReceipt.rawValue)
            """
        )
    }

    func parkedCount() throws(StoreError) -> Int {
        try connection.value("SELECT COUNT(*) FROM submission WHERE state = 'parked'") ?? 0
    }

    // MARK: Trace

    func request(_ id: ReceiptID) throws(StoreError) -> Trace.Entry? {
        try connection.row("SELECT request_id, requested_at FROM submission WHERE receipt_id = \(id)") {
            row throws(StoreError) in
            Trace.Entry(
                time: try row["requested_at"],
                type: ReceiptSubmitV1.type.rawValue,
                id: try row["request_id"]
            )
        }
    }

    /// The version of the app, which an app receipt states.
    func applicationVersion(_ id: ReceiptID) throws(StoreError) -> String? {
        try connection.value("SELECT application_version FROM submission WHERE receipt_id = \(id)")
    }

    /// The buyer's verified submissions in this partition that list a transaction; queried only when a purchase moves.
    func verified(
        by buyer: BuyerID,
        of bundle: BundleID,
        listing transaction: TransactionID
    ) throws(StoreError) -> [ReceiptID] {
        try connection.rows(
            """
            SELECT receipt_id FROM submission
            WHERE bundle_id = \(bundle) AND buyer_id = \(buyer) AND state = 'verified'
              AND ' ' || transaction_ids || ' ' LIKE \("% \(transaction) %") ORDER BY receipt_id
            """
        ) { row throws(StoreError) -> ReceiptID in try row["receipt_id"] }
    }

    func transactionIDs(_ id: ReceiptID) throws(StoreError) -> [String] {
        let list: String? = try connection.value(
            "SELECT transaction_ids FROM submission WHERE receipt_id = \(id)"
        )
        return (list ?? "").split(separator: " ").map(String.init)
    }
}

extension SubmissionAssessment.State {
    /// The state's name in the table; `asking` is a pending proof with that reason.
    var stored: String { self == .asking ? Self.pending.rawValue : rawValue }
}

extension SubmissionAssessment {
    /// Separated by spaces.
    fileprivate var transactionIDs: String {
        items.map(\.facts.transactionId.rawValue).joined(separator: " ")
    }
}
