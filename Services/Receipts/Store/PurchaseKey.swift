import Contracts
import Database

struct PurchaseKey: Hashable {
    let environment: Environment
    let bundleID: BundleID
    let purchaseID: PurchaseID

    init(environment: Environment, bundleID: BundleID, purchaseID: PurchaseID) {
        self.environment = environment
        self.bundleID = bundleID
        self.purchaseID = purchaseID
    }

    init(_ facts: TransactionFacts) {
        self.init(
            environment: facts.environment,
            bundleID: facts.bundleId,
            purchaseID: facts.purchaseId
        )
    }

    init?(columns: [String]) throws(StoreError) {
        guard !columns.isEmpty else { return nil }
        guard columns.count == 3 else { throw .corrupt("the key of a claim has three columns") }
        self.init(
            environment: Environment(rawValue: columns[2]),
            bundleID: BundleID(unchecked: columns[1]),
            purchaseID: PurchaseID(unchecked: columns[0])
        )
    }

    /// In the order of the primary key.
    var columns: [String] { [purchaseID.rawValue, bundleID.rawValue, environment.rawValue] }

    var values: [Value] { columns.map(Value.text) }

    func named(_ name: String) -> PurchaseKey {
        PurchaseKey(environment: environment, bundleID: bundleID, purchaseID: PurchaseID(unchecked: name))
    }
}
