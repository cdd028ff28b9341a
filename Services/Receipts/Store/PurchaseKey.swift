import Contracts
import Database
import Delivery

struct PurchaseKey: Hashable {
    let environment: Environment
    let bundleID: BundleID
    let purchaseID: PurchaseID

    /// The row with this key.
    var condition: SQL {
        "purchase_id = \(purchaseID) AND bundle_id = \(bundleID) AND environment = \(environment)"
    }

    /// In the order of the primary key.
    var columns: [String] { [purchaseID.rawValue, bundleID.rawValue, environment.rawValue] }

    func named(_ name: String) -> PurchaseKey {
        PurchaseKey(environment: environment, bundleID: bundleID, purchaseID: PurchaseID(unchecked: name))
    }
}

extension PurchaseKey {
    init(_ facts: TransactionFacts) {
        self.init(
            environment: facts.environment,
            bundleID: facts.bundleId,
            purchaseID: facts.purchaseId
        )
    }

    init(_ row: Row) throws(StoreError) {
        self.init(
            environment: try row["environment"],
            bundleID: try row["bundle_id"],
            purchaseID: try row["purchase_id"]
        )
    }
}
