import Contracts
import Database
import Delivery

/// A purchase of a chain; of two chains in one partition each may have one with the same id.
struct ChainPurchase: Hashable {
    let chain: ChainKey
    let purchaseID: PurchaseID

    init(_ chain: ChainKey, _ purchaseID: PurchaseID) {
        self.chain = chain
        self.purchaseID = purchaseID
    }

    init(_ told: NameHeldV1) {
        self.init(
            ChainKey(told.environment, told.bundleId, told.originalTransactionId),
            told.purchaseId
        )
    }

    init(_ row: Row) throws(StoreError) {
        self.init(
            ChainKey(try row["environment"], try row["bundle_id"], try row["original_transaction_id"]),
            try row["purchase_id"]
        )
    }

    /// The key of its claim.
    var claim: PurchaseKey { PurchaseKey(chain.environment, chain.bundleID, purchaseID) }

    var condition: SQL { "\(chain.condition) AND purchase_id = \(purchaseID)" }

    /// In the order of the primary key.
    var columns: [String] { [chain.originalTransactionID.rawValue] + claim.columns }
}
