import Contracts
import Database

/// What makes a transaction one and the same.
struct TransactionKey: Hashable {
    let environment: Environment
    let bundleID: BundleID
    let transactionID: TransactionID

    init(environment: Environment, bundleID: BundleID, transactionID: TransactionID) {
        self.environment = environment
        self.bundleID = bundleID
        self.transactionID = transactionID
    }

    init(_ facts: TransactionFacts) {
        self.init(
            environment: facts.environment,
            bundleID: facts.bundleId,
            transactionID: facts.transactionId
        )
    }

    /// The key in `columns`; nil when there are none.
    init?(columns: [String]) throws(StoreError) {
        guard !columns.isEmpty else { return nil }
        guard columns.count == 3 else { throw .corrupt("the key of a claim has three columns") }
        self.init(
            environment: Environment(rawValue: columns[2]),
            bundleID: BundleID(unchecked: columns[1]),
            transactionID: TransactionID(unchecked: columns[0])
        )
    }

    /// The key's columns in the order of the primary key.
    var columns: [String] { [transactionID.rawValue, bundleID.rawValue, environment.rawValue] }

    /// The columns as a statement takes them.
    var values: [Value] { columns.map(Value.text) }
}
