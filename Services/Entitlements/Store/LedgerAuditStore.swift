import Contracts
import Database
import Delivery

/// Sums of the ledger, and what is kept beside it, for buyers in the order of their keys.
struct LedgerAuditStore {
    /// The key of a buyer: bundle id and buyer id.
    static let keyColumns = 2

    /// Buyers between two keys, which are a bundle id and a buyer id.
    struct Buyers {
        let after: [String]
        /// Nil to the last buyer.
        let upTo: [String]?

        /// The rows of a table with the columns `bundle_id` and `buyer_id`.
        var condition: SQL {
            let start: SQL = "(bundle_id, buyer_id) > (\(after[0]), \(after[1]))"
            guard let upTo else { return start }
            return "\(start) AND (bundle_id, buyer_id) <= (\(upTo[0]), \(upTo[1]))"
        }
    }

    let connection: any Connection

    /// The buyer of the last of the next `rows` entries after a key; nil when there are fewer.
    func end(after key: [String], rows: Int) throws(StoreError) -> [String]? {
        let row = try connection.row(
            """
            SELECT bundle_id, buyer_id FROM ledger WHERE \(Buyers(after: key, upTo: nil).condition)
            ORDER BY bundle_id, buyer_id LIMIT 1 OFFSET \(rows - 1)
            """
        )
        return try row.map { row throws(StoreError) in [try row[0], try row[1]] }
    }

    func entries(of buyers: Buyers) throws(StoreError) -> [HoldingKey: LedgerAudit.Entries] {
        var entries: [HoldingKey: LedgerAudit.Entries] = [:]
        for row in try connection.rows(Self.entriesQuery(buyers)) {
            entries[try HoldingKey(row)] = LedgerAudit.Entries(
                count: try row[4],
                sum: try row[5],
                lopsided: try row[6],
                strange: try row[7],
                takenBack: try row[8]
            )
        }
        return entries
    }

    /// The entries of each account; those that gave goods are compared with their grants by purchase.
    static func entriesQuery(_ buyers: Buyers) -> SQL {
        """
        SELECT bundle_id, buyer_id, environment, entitlement, COUNT(*),
          SUM(CASE WHEN to_account = 'buyer' THEN amount ELSE -amount END),
          SUM(CASE WHEN amount > 0 AND (from_account = 'buyer') <> (to_account = 'buyer') THEN 0 ELSE 1 END),
          SUM(CASE WHEN kind <> 'grant' AND purchase_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM grants WHERE grants.purchase_id = ledger.purchase_id
              AND grants.environment = ledger.environment AND grants.bundle_id = ledger.bundle_id
              AND grants.buyer_id = ledger.buyer_id) THEN 1 ELSE 0 END),
          SUM(CASE kind WHEN 'reversal' THEN amount WHEN 'reinstatement' THEN -amount ELSE 0 END)
        FROM ledger WHERE \(buyers.condition)
        GROUP BY bundle_id, buyer_id, environment, entitlement
        """
    }

    /// What is kept of these buyers: balances, and the number of possessions.
    func kept(of buyers: Buyers) throws(StoreError) -> [HoldingKey: Int64] {
        var kept: [HoldingKey: Int64] = [:]
        let rows = try connection.rows(
            """
            SELECT bundle_id, buyer_id, environment, entitlement, amount FROM balance
            WHERE \(buyers.condition)
            UNION ALL
            SELECT bundle_id, buyer_id, environment, entitlement, COUNT(*) AS amount FROM possession
            WHERE \(buyers.condition)
            GROUP BY bundle_id, buyer_id, environment, entitlement
            """
        )
        for row in rows { kept[try HoldingKey(row), default: 0] += try row[4] as Int64 }
        return kept
    }

    /// The possessions of these buyers that no grant of theirs gives, or whose period is not known.
    func strangePossessions(of buyers: Buyers) throws(StoreError) -> [LedgerAuditPage.Difference] {
        let rows = try connection.rows(Self.strangePossessionsQuery(buyers))
        return try rows.map { row throws(StoreError) in
            LedgerAuditPage.Difference(
                .possessionHasGrant,
                bundleId: try row[0],
                buyerId: try row[1],
                environment: try row[2],
                entitlement: try row[3],
                purchaseId: try row[4],
                expected: 0,
                found: 1
            )
        }
    }

    static func strangePossessionsQuery(_ buyers: Buyers) -> SQL {
        """
        SELECT bundle_id, buyer_id, environment, entitlement, purchase_id FROM possession
        WHERE \(buyers.condition) AND (
          NOT EXISTS (
            SELECT 1 FROM grants WHERE grants.purchase_id = possession.purchase_id
              AND grants.environment = possession.environment AND grants.bundle_id = possession.bundle_id
              AND grants.buyer_id = possession.buyer_id AND grants.state = 'granted'
              AND grants.has_left = 0)
          OR original_transaction_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM period WHERE period.bundle_id = possession.bundle_id
              AND period.buyer_id = possession.buyer_id AND period.environment = possession.environment
              AND period.original_transaction_id = possession.original_transaction_id
              AND period.purchase_id = possession.purchase_id AND period.document IS NOT NULL))
        """
    }

    /// The subscriptions of these buyers.
    func subscriptions(of buyers: Buyers) throws(StoreError) -> [SubscriptionKey] {
        try connection.rows(
            """
            SELECT bundle_id, buyer_id, environment, original_transaction_id FROM subscription
            WHERE \(buyers.condition)
            UNION
            SELECT bundle_id, buyer_id, environment, original_transaction_id FROM period
            WHERE \(buyers.condition)
            """
        ) { row throws(StoreError) in
            let buyer = BuyerKey(try row[0], try row[1], try row[2])
            return SubscriptionKey(buyer: buyer, originalTransactionId: try row[3])
        }
    }
}
