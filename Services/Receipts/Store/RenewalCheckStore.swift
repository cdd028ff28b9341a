import Contracts
import Database
import ReceiptsCore

struct RenewalCheckStore {
    let connection: any Connection

    private static let isKey = "purchase_id = ? AND bundle_id = ? AND environment = ?"

    /// Plans the check of the newest period of a chain, and of no older one; returns when.
    func plan(_ facts: TransactionFacts, now: Timestamp) throws(StoreError) -> Timestamp? {
        guard facts.expiresDate != nil else { return nil }
        guard let check = RenewalCheck.first(for: facts, now: now) else {
            try set(nil, PurchaseKey(facts))
            return nil
        }
        let chain: [Value] = [
            .text(facts.originalTransactionId.rawValue), .text(facts.bundleId.rawValue),
            .text(facts.environment.rawValue), .integer(check.milliseconds),
        ]
        let isChain = "original_transaction_id = ? AND bundle_id = ? AND environment = ?"
        let newer = try connection.row(
            "SELECT 1 FROM claim WHERE \(isChain) AND recheck_at > ? LIMIT 1",
            chain
        )
        guard newer == nil else { return nil }
        try connection.execute(
            "UPDATE claim SET recheck_at = NULL WHERE \(isChain) AND recheck_at < ?",
            chain
        )
        try set(check, PurchaseKey(facts))
        return check
    }

    func set(_ moment: Timestamp?, _ key: PurchaseKey) throws(StoreError) {
        try connection.execute(
            "UPDATE claim SET recheck_at = ? WHERE \(Self.isKey)",
            [Value(moment?.milliseconds)] + key.values
        )
    }

    func due(_ bundleID: BundleID, now: Timestamp, limit: Int) throws -> [RenewalCheck] {
        let rows = try connection.rows(
            """
            SELECT purchase_id, environment FROM claim
            WHERE bundle_id = ? AND recheck_at <= ? ORDER BY recheck_at LIMIT ?
            """,
            [.text(bundleID.rawValue), .integer(now.milliseconds), Value(limit)]
        )
        return try rows.compactMap { row in
            let key = PurchaseKey(
                environment: Environment(rawValue: try row.text(1)),
                bundleID: bundleID,
                purchaseID: PurchaseID(unchecked: try row.text(0))
            )
            let facts = try ClaimStore(connection: connection).facts(key)
            return facts.expiresDate.map { expires in
                RenewalCheck(
                    environment: key.environment,
                    purchaseId: key.purchaseID,
                    transactionId: facts.transactionId,
                    expiresDate: expires
                )
            }
        }
    }

    func nextDue(_ bundleID: BundleID, after now: Timestamp) throws(StoreError) -> Timestamp? {
        let row = try connection.row(
            "SELECT MIN(recheck_at) FROM claim WHERE bundle_id = ? AND recheck_at > ?",
            [.text(bundleID.rawValue), .integer(now.milliseconds)]
        )
        return try row?.optionalInteger(0).map(Timestamp.init(milliseconds:))
    }
}
