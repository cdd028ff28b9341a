import Contracts
import Database
import ReceiptsCore

extension SubmissionStore {
    /// What the buyer has stored besides `record`; counting stops at the maximum.
    func quota(besides record: SubmissionRecord) throws(StoreError) -> SubmissionQuota {
        let row = try connection.row(
            """
            SELECT COUNT(*), COALESCE(SUM(size), 0), COALESCE(SUM(CASE state WHEN 'invalid' THEN 1 ELSE 0 END), 0),
              COALESCE(SUM(CASE state WHEN 'invalid' THEN size ELSE 0 END), 0),
              COALESCE(SUM(CASE state WHEN 'pending' THEN 1 ELSE 0 END), 0),
              COALESCE(SUM(CASE state WHEN 'verified' THEN 1 ELSE 0 END), 0),
              COALESCE(SUM(CASE state WHEN 'verified' THEN size ELSE 0 END), 0)
            FROM (
              SELECT state, size FROM submission WHERE bundle_id = ? AND buyer_id = ? AND receipt_id <> ?
              ORDER BY state LIMIT ?
            ) AS stored
            """,
            [
                .text(record.bundleID.rawValue), .text(record.buyerID.rawValue),
                .text(record.receiptID.rawValue), Value(SubmissionQuota.maximumCount),
            ]
        )
        guard let row else { throw .corrupt("there is no sum of submissions") }
        return SubmissionQuota(
            total: .init(count: try row.int(0), bytes: try row.int(1)),
            verified: .init(count: try row.int(5), bytes: try row.int(6)),
            invalid: .init(count: try row.int(2), bytes: try row.int(3)),
            asking: try row.int(4)
        )
    }

    /// Whether one of these transactions is in no other verified submission of the buyer.
    func lacks(_ transactions: [TransactionID], besides record: SubmissionRecord) throws(StoreError) -> Bool {
        let rows = try connection.rows(
            "SELECT transaction_ids FROM submission WHERE bundle_id = ? AND buyer_id = ? AND state = 'verified'",
            [.text(record.bundleID.rawValue), .text(record.buyerID.rawValue)]
        )
        var unknown = Set(transactions.map(\.rawValue))
        for row in rows where !unknown.isEmpty {
            for id in try row.text(0).split(separator: " ") { unknown.remove(String(id)) }
        }
        return !unknown.isEmpty
    }

    /// The buyer's other invalid submissions, oldest first, up to a count and size.
    func oldestInvalid(
        _ usage: SubmissionQuota.Usage,
        besides record: SubmissionRecord
    ) throws(StoreError) -> [ReceiptID] {
        let rows = try connection.rows(
            """
            SELECT receipt_id, size FROM submission
            WHERE bundle_id = ? AND buyer_id = ? AND state = 'invalid' AND receipt_id <> ?
            ORDER BY judged_at LIMIT ?
            """,
            [
                .text(record.bundleID.rawValue), .text(record.buyerID.rawValue),
                .text(record.receiptID.rawValue), Value(SubmissionQuota.maximumCount),
            ]
        )
        var found: [ReceiptID] = []
        var left = usage
        for row in rows where left.count > 0 || left.bytes > 0 {
            found.append(ReceiptID(unchecked: try row.text(0)))
            left.count -= 1
            left.bytes -= try row.int(1)
        }
        return found
    }
}
