import Contracts
import Database
import Delivery

/// Sums of the ledger, and what is kept beside it, for buyers in the order of their keys.
struct LedgerAuditStore {
    /// The key of a buyer: bundle id and buyer id.
    static let keyColumns = 2

    let connection: any Connection

    /// The last of the next `limit` buyers after a key; nil when there are fewer.
    func end(after key: [String], limit: Int) throws(StoreError) -> [String]? {
        let row = try connection.row(
            """
            SELECT DISTINCT bundle_id, buyer_id FROM ledger
            WHERE (bundle_id, buyer_id) > (\(key[0]), \(key[1]))
            ORDER BY bundle_id, buyer_id LIMIT 1 OFFSET \(limit - 1)
            """
        )
        return try row.map { row throws(StoreError) in [try row["bundle_id"], try row["buyer_id"]] }
    }

    /// The entries of the buyers after a key, up to another one if there is one.
    func entries(
        after key: [String],
        upTo end: [String]?
    ) throws(StoreError) -> [LedgerAudit.Account: LedgerAudit.Entries] {
        var entries: [LedgerAudit.Account: LedgerAudit.Entries] = [:]
        let rows = try connection.rows(
            """
            SELECT ledger.bundle_id AS bundle_id, ledger.buyer_id AS buyer_id, ledger.environment AS environment,
              ledger.entitlement AS entitlement, COUNT(*) AS entries,
              SUM(CASE WHEN ledger.to_account = 'buyer' THEN ledger.amount ELSE -ledger.amount END) AS amount,
              SUM(CASE WHEN ledger.amount > 0 AND (ledger.from_account = 'buyer') <> (ledger.to_account = 'buyer')
                THEN 0 ELSE 1 END) AS lopsided,
              SUM(CASE WHEN ledger.purchase_id IS NOT NULL AND grants.buyer_id IS NULL THEN 1 ELSE 0 END) AS strange
            FROM ledger LEFT JOIN grants ON grants.purchase_id = ledger.purchase_id
              AND grants.environment = ledger.environment AND grants.bundle_id = ledger.bundle_id
              AND grants.buyer_id = ledger.buyer_id
            WHERE \(Self.range("ledger.", after: key, upTo: end))
            GROUP BY ledger.bundle_id, ledger.buyer_id, ledger.environment, ledger.entitlement
            """
        )
        for row in rows {
            entries[try LedgerAudit.Account(row)] = LedgerAudit.Entries(
                count: try row["entries"],
                sum: try row["amount"],
                lopsided: try row["lopsided"],
                strange: try row["strange"]
            )
        }
        return entries
    }

    /// What is kept of these buyers: balances, and the number of possessions.
    func kept(
        after key: [String],
        upTo end: [String]?
    ) throws(StoreError) -> [LedgerAudit.Account: Int64] {
        var kept: [LedgerAudit.Account: Int64] = [:]
        let rows = try connection.rows(
            """
            SELECT bundle_id, buyer_id, environment, entitlement, amount FROM balance
            WHERE \(Self.range(after: key, upTo: end))
            UNION ALL
            SELECT bundle_id, buyer_id, environment, entitlement, COUNT(*) AS amount FROM possession
            WHERE \(Self.range(after: key, upTo: end))
            GROUP BY bundle_id, buyer_id, environment, entitlement
            """
        )
        for row in rows { kept[try LedgerAudit.Account(row), default: 0] += try row["amount"] as Int64 }
        return kept
    }

    /// How many grants the ledger has of each purchase of a page, by key; read in the order of `ledger_grants_once`.
    func grants(of page: [GrantRecord]) throws(StoreError) -> [[String]: Int] {
        guard let first = page.first?.key, let last = page.last?.key else { return [:] }
        let rows = try connection.rows(Self.grantsQuery(from: first, to: last))
        var grants: [[String]: Int] = [:]
        for row in rows {
            let key: [String] = [
                try row["purchase_id"], try row["environment"], try row["bundle_id"], try row["buyer_id"],
            ]
            grants[key, default: 0] += 1
        }
        return grants
    }

    /// The grants of each purchase between two keys.
    static func grantsQuery(from first: [String], to last: [String]) -> SQL {
        """
        SELECT purchase_id, environment, bundle_id, buyer_id FROM ledger
        WHERE kind = 'grant' AND purchase_id >= \(first[0]) AND purchase_id <= \(last[0])
        """
    }

    private static func range(_ table: String = "", after key: [String], upTo end: [String]?) -> SQL {
        let columns = "(\(table)bundle_id, \(table)buyer_id)"
        let start: SQL = "\(raw: columns) > (\(key[0]), \(key[1]))"
        guard let end else { return start }
        return "\(start) AND \(raw: columns) <= (\(end[0]), \(end[1]))"
    }
}

extension LedgerAudit.Account {
    fileprivate init(_ row: Row) throws(StoreError) {
        self.init(
            bundleId: try row["bundle_id"],
            buyerId: try row["buyer_id"],
            environment: try row["environment"],
            entitlement: try row["entitlement"]
        )
    }
}
