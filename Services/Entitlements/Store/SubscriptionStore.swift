import Contracts
import Database
import Delivery

/// The facts of the buyers' subscriptions, and the access that follows from them.
struct SubscriptionStore {
    let connection: any Connection

    /// Everything that is known of a subscription; empty for an unknown one.
    func chain(_ key: SubscriptionKey) throws(StoreError) -> SubscriptionChain {
        var chain = SubscriptionChain()
        let renewal: String? = try connection.value("SELECT renewal FROM subscription WHERE \(key.condition)")
        chain.renewal = try renewal.map { text throws(StoreError) in try JSONColumn.value(of: text) }
        let rows = try connection.rows(
            "SELECT purchase_id, purchased_at, document FROM period WHERE \(key.condition)"
        )
        for row in rows {
            if let document: String = try row["document"] {
                chain.periods.append(try JSONColumn.value(of: document))
            } else {
                let (id, date): (PurchaseID, Timestamp) = (try row["purchase_id"], try row["purchased_at"])
                chain.successors.append(.init(purchaseId: id, purchaseDate: date))
            }
        }
        return chain
    }

    /// Stores the newest statement about a period; without one another buyer holds it.
    func save(
        _ period: SubscriptionPeriod?,
        _ purchase: PurchaseID,
        _ date: Timestamp,
        of key: SubscriptionKey
    ) throws {
        let document = try period.map { try JSONColumn.text($0) }
        try connection.execute(
            """
            INSERT INTO period (bundle_id, buyer_id, environment, original_transaction_id, purchase_id, purchased_at,
              document)
            VALUES (\(key.columns), \(purchase), \(date), \(document))
            ON CONFLICT (bundle_id, buyer_id, environment, original_transaction_id, purchase_id)
            DO UPDATE SET purchased_at = excluded.purchased_at, document = excluded.document
            """
        )
    }

    /// Stores what follows from a chain; returns the access before.
    func save(_ chain: SubscriptionChain, of key: SubscriptionKey) throws -> SubscriptionAccess? {
        let before = try access(key)
        let renewal = try chain.renewal.map { try JSONColumn.text($0) }
        let access = try chain.folded().map { try JSONColumn.text($0) }
        try connection.execute(
            """
            INSERT INTO subscription (bundle_id, buyer_id, environment, original_transaction_id, renewal, access)
            VALUES (\(key.columns), \(renewal), \(access))
            ON CONFLICT (bundle_id, buyer_id, environment, original_transaction_id)
            DO UPDATE SET renewal = excluded.renewal, access = excluded.access
            """
        )
        return before
    }

    /// The access by one subscription; nil while the buyer holds no period of it.
    func access(_ key: SubscriptionKey) throws(StoreError) -> SubscriptionAccess? {
        let access: String? = try connection.value("SELECT access FROM subscription WHERE \(key.condition)")
        return try access.map { text throws(StoreError) in try JSONColumn.value(of: text) }
    }

    /// The access by each of a buyer's subscriptions, in order of their original transaction ids.
    func access(_ buyer: BuyerKey) throws(StoreError) -> [(key: TransactionID, value: SubscriptionAccess)] {
        try connection.rows(
            """
            SELECT original_transaction_id, access FROM subscription
            WHERE \(buyer.condition) AND access IS NOT NULL ORDER BY original_transaction_id
            """
        ) { row throws(StoreError) in
            (try row["original_transaction_id"], try JSONColumn.value(of: row["access"]))
        }
    }
}
