import Contracts
import Database
import Delivery
import Domain

/// To which chain each name belongs that lies in this partition, and which chains have claimed it.
struct PurchaseNameStore {
    let connection: any Connection

    /// The chain that has the name: the one that has claimed it first.
    func claim(_ claimed: NameClaimedV1) throws(StoreError) -> TransactionID {
        let (name, chain) = (claimed.name.text, claimed.originalTransactionId)
        let first: TransactionID? = try connection.value(
            """
            SELECT home_id FROM purchase_name
            WHERE name = \(name) AND bundle_id = \(claimed.bundleId) AND environment = \(claimed.environment) LIMIT 1
            """
        )
        let home = first ?? chain
        try connection.execute(
            """
            INSERT INTO purchase_name (name, bundle_id, environment, original_transaction_id, purchase_id, home_id)
            VALUES (\(name), \(claimed.bundleId), \(claimed.environment), \(chain), \(claimed.purchaseId), \(home))
            ON CONFLICT (name, bundle_id, environment, original_transaction_id) DO NOTHING
            """
        )
        return home
    }

    /// A page of the answers that claims have had, by key; from the first if the key is empty.
    func answers(after key: [String], limit: Int) throws(StoreError) -> [NameHeldV1] {
        let key = key.isEmpty ? ["", "", "", ""] : key
        guard key.count == 4 else { throw .corrupt("the key of a name has four columns") }
        return try connection.rows(
            """
            SELECT * FROM purchase_name
            WHERE (name, bundle_id, environment, original_transaction_id)
              > (\(key[0]), \(key[1]), \(key[2]), \(key[3]))
            ORDER BY name, bundle_id, environment, original_transaction_id LIMIT \(limit)
            """
        ) { row throws(StoreError) -> NameHeldV1 in
            guard let name = PurchaseName(text: try row["name"]) else { throw .corrupt("purchase_name.name") }
            let claimed = NameClaimedV1(
                environment: try row["environment"],
                bundleId: try row["bundle_id"],
                name: name,
                originalTransactionId: try row["original_transaction_id"],
                purchaseId: try row["purchase_id"]
            )
            return NameHeldV1(claimed, homeId: try row["home_id"])
        }
    }
}

extension NameHeldV1 {
    /// Of its row in the partition of the name.
    var columns: [String] {
        [name.text, bundleId.rawValue, environment.rawValue, originalTransactionId.rawValue]
    }
}
