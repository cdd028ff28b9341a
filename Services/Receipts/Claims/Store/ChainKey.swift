import Contracts
import Database
import Delivery

/// A chain: the transactions with one original transaction id in an app and environment.
struct ChainKey: Hashable {
    let environment: Environment
    let bundleID: BundleID
    let originalTransactionID: TransactionID

    init(_ environment: Environment, _ bundleID: BundleID, _ originalTransactionID: TransactionID) {
        self.environment = environment
        self.bundleID = bundleID
        self.originalTransactionID = originalTransactionID
    }

    init(_ facts: TransactionFacts) {
        self.init(facts.environment, facts.bundleId, facts.originalTransactionId)
    }

    var condition: SQL {
        """
        original_transaction_id = \(originalTransactionID) AND bundle_id = \(bundleID)
          AND environment = \(environment)
        """
    }

    /// The claim that is known by the chain's own id, as a first period without `webOrderLineItemId` is.
    var first: PurchaseKey { PurchaseKey(environment, bundleID, PurchaseID(originalTransactionID)) }
}

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
