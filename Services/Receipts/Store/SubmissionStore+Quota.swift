import Contracts
import Database
import ReceiptsCore

/// What a buyer's submissions take up.
extension SubmissionStore {
    /// The room of a buyer without the row of `receipt`; of what is beyond the most that there may be nothing is counted.
    func room(
        of buyer: BuyerID,
        in bundleID: BundleID,
        besides receipt: ReceiptID
    ) throws(StoreError) -> SubmissionQuota {
        let owner: [Value] = [.text(bundleID.rawValue), .text(buyer.rawValue), .text(receipt.rawValue)]
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
            ) AS kept
            """,
            owner + [Value(SubmissionQuota.maximumCount)]
        )
        guard let row else {
            let nothing = SubmissionQuota.Use(count: 0, bytes: 0)
            return SubmissionQuota(kept: nothing, verified: nothing, invalid: nothing, asking: 0)
        }
        return SubmissionQuota(
            kept: .init(count: try row.int(0), bytes: try row.int(1)),
            verified: .init(count: try row.int(5), bytes: try row.int(6)),
            invalid: .init(count: try row.int(2), bytes: try row.int(3)),
            asking: try row.int(4)
        )
    }

    /// Whether one of these transactions stands in no other verified submission of the buyer.
    func lacks(
        _ transactions: [TransactionID],
        of buyer: BuyerID,
        in bundleID: BundleID
    ) throws(StoreError) -> Bool {
        let rows = try connection.rows(
            "SELECT transaction_ids FROM submission WHERE bundle_id = ? AND buyer_id = ? AND state = 'verified'",
            [.text(bundleID.rawValue), .text(buyer.rawValue)]
        )
        var unknown = Set(transactions.map(\.rawValue))
        for row in rows where !unknown.isEmpty {
            for id in try row.text(0).split(separator: " ") { unknown.remove(String(id)) }
        }
        return !unknown.isEmpty
    }

    /// The oldest of a buyer's invalid submissions but `receipt`, until so many and so many bytes are found.
    func oldestInvalid(
        _ use: SubmissionQuota.Use,
        of buyer: BuyerID,
        in bundleID: BundleID,
        besides receipt: ReceiptID
    ) throws(StoreError) -> [ReceiptID] {
        let rows = try connection.rows(
            """
            SELECT receipt_id, size FROM submission
            WHERE bundle_id = ? AND buyer_id = ? AND state = 'invalid' AND receipt_id <> ?
            ORDER BY judged_at LIMIT ?
            """,
            [
                .text(bundleID.rawValue), .text(buyer.rawValue), .text(receipt.rawValue),
                Value(SubmissionQuota.maximumCount),
            ]
        )
        var found: [ReceiptID] = []
        var left = use
        for row in rows where left.count > 0 || left.bytes > 0 {
            found.append(ReceiptID(unchecked: try row.text(0)))
            left.count -= 1
            left.bytes -= try row.int(1)
        }
        return found
    }
}
