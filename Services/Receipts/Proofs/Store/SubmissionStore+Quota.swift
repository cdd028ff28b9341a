import Contracts
import Database
import Delivery

extension SubmissionStore {
    /// What the buyer has stored besides `record`; counting stops at the maximum.
    func quota(besides record: SubmissionRecord) throws(StoreError) -> SubmissionQuota {
        let quota = try connection.row(
            """
            SELECT COUNT(*) AS total, COALESCE(SUM(size), 0) AS total_size,
              COUNT(*) FILTER (WHERE state = 'invalid') AS invalid,
              COALESCE(SUM(size) FILTER (WHERE state = 'invalid'), 0) AS invalid_size,
              COUNT(*) FILTER (WHERE state = 'verified') AS verified,
              COALESCE(SUM(size) FILTER (WHERE state = 'verified'), 0) AS verified_size,
              COUNT(*) FILTER (WHERE state = 'pending') AS asking
            FROM (
              SELECT state, size FROM submission
              WHERE bundle_id = \(record.bundleID) AND buyer_id = \(record.buyerID)
                AND receipt_id <> \(record.receiptID)
              ORDER BY state LIMIT \(SubmissionQuota.maximumCount)
            ) AS stored
            """
        ) { row throws(StoreError) in
            SubmissionQuota(
                total: .init(count: try row["total"], bytes: try row["total_size"]),
                verified: .init(count: try row["verified"], bytes: try row["verified_size"]),
                invalid: .init(count: try row["invalid"], bytes: try row["invalid_size"]),
                asking: try row["asking"]
            )
        }
        guard let quota else { throw .corrupt("there is no sum of submissions") }
        return quota
    }

    /// Whether one of these transactions is in no other verified submission of the buyer.
    func lacks(_ transactions: [TransactionID], besides record: SubmissionRecord) throws(StoreError) -> Bool {
        let lists = try connection.rows(
            """
            SELECT transaction_ids FROM submission
            WHERE bundle_id = \(record.bundleID) AND buyer_id = \(record.buyerID) AND state = 'verified'
            """
        ) { row throws(StoreError) -> String in try row["transaction_ids"] }
        let known = Set(lists.flatMap { $0.split(separator: " ") })
        return !transactions.allSatisfy { known.contains(Substring($0.rawValue)) }
    }

    /// The buyer's other invalid submissions, oldest first, up to a count and size.
    func oldestInvalid(
        _ usage: SubmissionQuota.Usage,
        besides record: SubmissionRecord
    ) throws(StoreError) -> [ReceiptID] {
        let rows = try connection.rows(
            """
            SELECT receipt_id, size FROM submission
            WHERE bundle_id = \(record.bundleID) AND buyer_id = \(record.buyerID) AND state = 'invalid'
              AND receipt_id <> \(record.receiptID)
            ORDER BY judged_at LIMIT \(SubmissionQuota.maximumCount)
            """
        )
        var found: [ReceiptID] = []
        var left = usage
        for row in rows where left.count > 0 || left.bytes > 0 {
            found.append(try row["receipt_id"])
            left.count -= 1
            left.bytes -= try row["size"]
        }
        return found
    }
}
