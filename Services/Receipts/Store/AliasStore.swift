import Contracts
import Database

/// Maps every transaction id seen in a partition to its purchase.
///
/// The first mapping stays, whatever a later statement says. A purchase's own name needs no row.
struct AliasStore {
    let connection: any Connection

    /// The purchase of a transaction; its names are stored.
    func purchase(of facts: TransactionFacts) throws(StoreError) -> PurchaseID {
        let key = PurchaseKey(facts)
        let transaction = key.named(facts.transactionId.rawValue)
        let byTransaction = try purchase(transaction)
        let byKey = key == transaction ? byTransaction : try purchase(key)
        let purchase = byTransaction ?? byKey ?? facts.purchaseId
        if byTransaction == nil { try add(transaction, of: purchase) }
        if byKey == nil { try add(key, of: purchase) }
        return purchase
    }

    /// The purchase known by a transaction's name or its own.
    func purchase(_ name: PurchaseKey) throws(StoreError) -> PurchaseID? {
        let row = try connection.row(
            """
            SELECT purchase_id FROM purchase_alias WHERE name = ? AND bundle_id = ? AND environment = ?
            UNION ALL SELECT purchase_id FROM claim WHERE purchase_id = ? AND bundle_id = ? AND environment = ? LIMIT 1
            """,
            name.values + name.values
        )
        return try row.map { row throws(StoreError) in PurchaseID(unchecked: try row.text(0)) }
    }

    private func add(_ name: PurchaseKey, of purchase: PurchaseID) throws(StoreError) {
        guard name.purchaseID != purchase else { return }
        try connection.execute(
            """
            INSERT INTO purchase_alias (name, bundle_id, environment, purchase_id) VALUES (?, ?, ?, ?)
            ON CONFLICT (name, bundle_id, environment) DO NOTHING
            """,
            name.values + [.text(purchase.rawValue)]
        )
    }

    func purchases(named name: String) throws(StoreError) -> Set<PurchaseID> {
        let rows = try connection.rows("SELECT purchase_id FROM purchase_alias WHERE name = ?", [.text(name)])
        var purchases: Set<PurchaseID> = [PurchaseID(unchecked: name)]
        for row in rows { purchases.insert(PurchaseID(unchecked: try row.text(0))) }
        return purchases
    }

    func names(of key: PurchaseKey) throws(StoreError) -> [String] {
        try connection.rows(
            "SELECT name FROM purchase_alias WHERE purchase_id = ? AND bundle_id = ? AND environment = ?",
            key.values
        ).map { row throws(StoreError) in try row.text(0) }
    }
}
