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

    init(_ facts: TransactionFacts) { self.init(facts.environment, facts.bundleId, facts.purchaseId) }

    init(_ row: Row) throws(StoreError) {
        self.init(try row["environment"], try row["bundle_id"], try row["purchase_id"])
    }

    var condition: SQL {
        "purchase_id = \(purchaseID) AND bundle_id = \(bundleID) AND environment = \(environment)"
    }

    /// In the order of the primary key.
    var columns: [String] { [purchaseID.rawValue, bundleID.rawValue, environment.rawValue] }

    /// Reads what `path` writes; nil if it is none.
    init?(path: Substring) {
        let parts = path.split(separator: "/", maxSplits: 2).map(String.init)
        guard parts.count == 3, let bundleID = BundleID(rawValue: parts[1]),
            let purchaseID = PurchaseID(rawValue: parts[2])
        else { return nil }
        self.init(Environment(rawValue: parts[0]), bundleID, purchaseID)
    }

    /// As one text, in SQL: it is the same for a row that cannot be read otherwise.
    static let path: SQL = "environment || '/' || bundle_id || '/' || purchase_id"

    func named(_ name: String) -> PurchaseKey {
        PurchaseKey(environment, bundleID, PurchaseID(unchecked: name))
    }
}
