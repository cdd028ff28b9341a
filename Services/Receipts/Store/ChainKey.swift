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
