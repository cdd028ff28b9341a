import Contracts
import Database
import Delivery

/// The searches of this partition that have further pages.
struct AccountSearchStore {
    let connection: any Connection

    /// Whether there is one, without reading it: what cannot be decoded must not stop the other work.
    func isEmpty() throws(StoreError) -> Bool {
        try !connection.exists("account_search")
    }

    func first() throws(StoreError) -> AccountSearch? {
        try connection.content("SELECT content FROM account_search ORDER BY notification_uuid LIMIT 1")
    }

    func save(_ search: AccountSearch) throws {
        try connection.execute(
            """
            INSERT INTO account_search (notification_uuid, content)
            VALUES (\(search.lookup.notificationUUID), \(try JSONColumn.text(search)))
            ON CONFLICT (notification_uuid) DO UPDATE SET content = excluded.content
            """
        )
    }

    func remove(_ search: AccountSearch) throws(StoreError) {
        try connection.execute(
            "DELETE FROM account_search WHERE notification_uuid = \(search.lookup.notificationUUID)"
        )
    }

    /// Who holds the next `limit` purchases, of those that were made with the account.
    func page(of search: AccountSearch, limit: Int) throws -> AccountSearch.Page {
        let (lookup, after) = (search.lookup, search.after.isEmpty ? ["", "", ""] : search.after)
        let columns = "purchase_id, bundle_id, environment"
        let start: SQL = "(\(raw: columns)) > (\(after[0]), \(after[1]), \(after[2]))"
        let end = try connection.row(
            "SELECT \(raw: columns) FROM claim WHERE \(start) ORDER BY \(raw: columns) LIMIT 1 OFFSET \(limit - 1)"
        ) { row throws(StoreError) -> [String] in [try row[0], try row[1], try row[2]] }
        let through: SQL = end.map { " AND (\(raw: columns)) <= (\($0[0]), \($0[1]), \($0[2]))" } ?? ""
        let member = "%\"appTransactionId\":\"\(lookup.appTransactionId)\"%"
        let found = try connection.rows(
            """
            SELECT buyer_id, signed_transaction FROM claim
            WHERE \(start)\(through) AND buyer_id IS NOT NULL AND bundle_id = \(lookup.bundleId)
              AND environment = \(lookup.environment) AND signed_transaction LIKE \(member)
            """
        )
        let buyers = try found.compactMap { row -> BuyerID? in
            let signed: SignedTransaction = try JSONColumn.value(of: row["signed_transaction"])
            return signed.appTransactionId == lookup.appTransactionId ? try row["buyer_id"] : nil
        }
        return AccountSearch.Page(buyers: buyers, end: end)
    }
}
