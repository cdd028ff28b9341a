import Contracts
import Database
import Delivery

struct PurchaseKey: Hashable {
    let environment: Environment
    let bundleID: BundleID
    let purchaseID: PurchaseID

    init(_ environment: Environment, _ bundleID: BundleID, _ purchaseID: PurchaseID) {
        self.environment = environment
        self.bundleID = bundleID
        self.purchaseID = purchaseID
    }

    var condition: SQL {
        "purchase_id = \(purchaseID) AND bundle_id = \(bundleID) AND environment = \(environment)"
    }

    /// In the order of the primary key.
    var columns: [String] { [purchaseID.rawValue, bundleID.rawValue, environment.rawValue] }

    func named(_ name: String) -> PurchaseKey {
        PurchaseKey(environment, bundleID, PurchaseID(unchecked: name))
    }
}

extension PurchaseKey {
    init(_ facts: TransactionFacts) { self.init(facts.environment, facts.bundleId, facts.purchaseId) }

    init(_ row: Row) throws(StoreError) {
        self.init(try row["environment"], try row["bundle_id"], try row["purchase_id"])
    }
}
