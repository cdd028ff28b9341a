import Contracts
import Database
import Delivery
import ReceiptsCore

struct SubmissionStore {
    let connection: any Connection

    /// Stores a submission; a later order hint replaces an earlier one.
    func save(
        _ record: SubmissionRecord,
        _ assessment: SubmissionAssessment,
        request: EventID,
        now: Timestamp
    ) throws {
        // Genuine certificates are Apple's, a handful; forged ones stay with their proof.
        let stored = try CertificateChains(connection: connection)
            .stored(record.proof, isGenuine: assessment.knowledge >= .genuine)
        try connection.execute(
            """
            INSERT INTO submission
              (receipt_id, bundle_id, buyer_id, order_hint, kind, proof, is_decoded, chain_id, chain_at, digest, size,
               device_id, state, reason, transaction_ids, request_id, requested_at, judged_at, findings)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (receipt_id) DO UPDATE SET kind = excluded.kind, proof = excluded.proof,
              is_decoded = excluded.is_decoded, chain_id = excluded.chain_id, chain_at = excluded.chain_at,
              digest = excluded.digest, size = excluded.size, device_id = excluded.device_id,
              order_hint = COALESCE(excluded.order_hint, submission.order_hint), state = excluded.state,
              reason = excluded.reason, transaction_ids = excluded.transaction_ids,
              request_id = excluded.request_id, requested_at = excluded.requested_at,
              judged_at = excluded.judged_at, findings = excluded.findings
            """,
            [
                .text(record.receiptID.rawValue), .text(record.bundleID.rawValue),
                .text(record.buyerID.rawValue),
                Value(record.orderHint), .text(record.proof.kind.rawValue),
                .blob(stored.bytes), Value(record.proof.isDecoded), Value(stored.chainID),
                Value(stored.chainPlace),
                Value(record.droppedDigest), Value(stored.bytes.count),
                Value(record.proof.deviceID),
                .text(assessment.state.stored), Value(assessment.reason), .text(assessment.transactionIDs),
                .text(request.rawValue), .integer(now.milliseconds), .integer(now.milliseconds),
                Value(try record.findings.map { try JSONColumn.text($0) }),
            ]
        )
    }

    func save(_ findings: ProofContents, of id: ReceiptID) throws {
        try connection.execute(
            "UPDATE submission SET findings = ? WHERE receipt_id = ?",
            [.text(try JSONColumn.text(findings)), .text(id.rawValue)]
        )
    }

    /// Marks a submission as visited, so that others have their turn.
    func touch(_ id: ReceiptID, now: Timestamp) throws(StoreError) {
        try connection.execute(
            "UPDATE submission SET judged_at = ? WHERE receipt_id = ?",
            [.integer(now.milliseconds), .text(id.rawValue)]
        )
    }

    func dropFindings(of id: ReceiptID) throws(StoreError) {
        try connection.execute(
            "UPDATE submission SET findings = NULL WHERE receipt_id = ? AND findings IS NOT NULL",
            [.text(id.rawValue)]
        )
    }

    func judge(_ id: ReceiptID, _ assessment: SubmissionAssessment, now: Timestamp) throws(StoreError) {
        let changed = try connection.execute(
            "UPDATE submission SET state = ?, reason = ?, transaction_ids = ?, judged_at = ? WHERE receipt_id = ?",
            [
                .text(assessment.state.stored), Value(assessment.reason), .text(assessment.transactionIDs),
                .integer(now.milliseconds), .text(id.rawValue),
            ]
        )
        guard changed == 1 else { throw .corrupt("the submission \(id) is gone") }
    }

    func record(_ id: ReceiptID) throws(StoreError) -> SubmissionRecord? {
        let row = try connection.row(
            "SELECT \(SubmissionRecord.columns) FROM submission WHERE receipt_id = ?",
            [.text(id.rawValue)]
        )
        return try row.map(SubmissionRecord.init(row:))
    }

    /// A page of submissions by id, in a state or all, up to a size in bytes but at least one proof.
    func page(
        _ state: SubmissionAssessment.State? = nil,
        after id: ReceiptID?,
        limit: Int,
        bytes: Int
    ) throws(StoreError) -> (records: [SubmissionRecord], isLast: Bool) {
        // A literal, so that SQLite uses the state's index.
        let isInState = state.map { "state = '\($0.stored)' AND " } ?? ""
        let rows = try connection.rows(
            """
            SELECT receipt_id, size FROM submission WHERE \(isInState)receipt_id > ?
            ORDER BY receipt_id LIMIT ?
            """,
            [.text(id?.rawValue ?? ""), Value(limit)]
        )
        let records = try records(rows, bytes)
        return (records, rows.count < limit && records.count == rows.count)
    }

    /// The first submissions of rows of id and size, up to the size limit.
    private func records(_ rows: [Row], _ bytes: Int) throws(StoreError) -> [SubmissionRecord] {
        var records: [SubmissionRecord] = []
        var rest = bytes
        for row in rows {
            rest -= try row.int(1)
            guard rest >= 0 || records.isEmpty else { break }
            if let record = try record(ReceiptID(unchecked: try row.text(0))) { records.append(record) }
        }
        return records
    }

    // MARK: Parked

    func status(of id: ReceiptID) throws(StoreError) -> RetryPage.ItemStatus {
        let sql = "SELECT state, reason FROM submission WHERE receipt_id = ?"
        guard let row = try connection.row(sql, [.text(id.rawValue)]) else {
            throw .corrupt("the submission \(id) is gone")
        }
        return RetryPage.ItemStatus(try row.text(0), reason: try row.optionalText(1))
    }

    /// Deletes the buyer's other submissions that hold nothing yet.
    func dropPending(besides record: SubmissionRecord) throws(StoreError) {
        try connection.execute(
            """
            DELETE FROM submission
            WHERE state = 'pending' AND bundle_id = ? AND buyer_id = ? AND receipt_id <> ? AND reason = ?
            """,
            [
                .text(record.bundleID.rawValue), .text(record.buyerID.rawValue),
                .text(record.receiptID.rawValue), .text(ProofFailure.emptyReceipt.rawValue),
            ]
        )
    }

    func parkedCount() throws(StoreError) -> Int {
        try connection.row("SELECT COUNT(*) FROM submission WHERE state = 'parked'")?.int(0) ?? 0
    }

    /// A submission as `trace` shows it.
    struct Step: Equatable {
        let requestID: EventID
        let time: Timestamp
        let transactionIDs: [String]
    }

    func step(_ id: ReceiptID) throws(StoreError) -> Step? {
        let row = try connection.row(
            "SELECT request_id, requested_at, transaction_ids FROM submission WHERE receipt_id = ?",
            [.text(id.rawValue)]
        )
        return try row.map { row throws(StoreError) in
            Step(
                requestID: EventID(unchecked: try row.text(0)),
                time: Timestamp(milliseconds: try row.integer(1)),
                transactionIDs: try row.text(2).split(separator: " ").map(String.init)
            )
        }
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
