import Contracts
import Database
import Delivery

struct RenewalCheckStore {
    let connection: any Connection

    /// Plans the check of the newest period of a chain, and of no older one; returns when.
    func plan(_ facts: TransactionFacts, now: Timestamp) throws(StoreError) -> Timestamp? {
        guard facts.expiresDate != nil else { return nil }
        guard let check = RenewalCheck.first(for: facts, now: now) else {
            try set(nil, PurchaseKey(facts))
            return nil
        }
        let chain: SQL = """
            original_transaction_id = \(facts.originalTransactionId) AND bundle_id = \(facts.bundleId)
              AND environment = \(facts.environment)
            """
        let newer = try connection.row("SELECT 1 FROM claim WHERE \(chain) AND recheck_at > \(check) LIMIT 1")
        guard newer == nil else { return nil }
        try connection.execute("UPDATE claim SET recheck_at = NULL WHERE \(chain) AND recheck_at < \(check)")
        try set(check, PurchaseKey(facts))
        return check
    }

    func set(_ moment: Timestamp?, _ key: PurchaseKey) throws(StoreError) {
        try connection.execute("UPDATE claim SET recheck_at = \(moment) WHERE \(key.condition)")
    }

    func due(_ bundleID: BundleID, now: Timestamp, limit: Int) throws -> [RenewalCheck] {
        let keys = try connection.rows(
            """
            SELECT purchase_id, bundle_id, environment FROM claim
            WHERE bundle_id = \(bundleID) AND recheck_at <= \(now) ORDER BY recheck_at LIMIT \(limit)
            """,
            PurchaseKey.init(_:)
        )
        return try keys.compactMap { RenewalCheck(try ClaimStore(connection: connection).facts($0)) }
    }

    func nextDue(_ bundleID: BundleID, after now: Timestamp) throws(StoreError) -> Timestamp? {
        try connection.value(
            "SELECT MIN(recheck_at) FROM claim WHERE bundle_id = \(bundleID) AND recheck_at > \(now)"
        )
    }
}
