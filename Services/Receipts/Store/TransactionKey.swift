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

    /// The key's columns in the order of the primary key.
    var values: [Value] {
        [.text(transactionID.rawValue), .text(bundleID.rawValue), .text(environment.rawValue)]
    }
}
