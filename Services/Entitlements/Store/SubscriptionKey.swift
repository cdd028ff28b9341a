import Contracts
import Database

/// Which subscription of which buyer.
struct SubscriptionKey: Hashable, Sendable {
    let buyer: BuyerKey
    let originalTransactionId: TransactionID
}

extension SubscriptionKey {
    /// The chain of a period of a subscription.
    init(_ facts: TransactionFacts, of buyer: BuyerID) {
        self.init(buyer: BuyerKey(facts, of: buyer), originalTransactionId: facts.originalTransactionId)
    }

    /// The values of the key's four columns.
    var columns: SQL {
        "\(buyer.bundleId), \(buyer.buyerId), \(buyer.environment), \(originalTransactionId)"
    }

    var condition: SQL {
        "\(buyer.condition) AND original_transaction_id = \(originalTransactionId)"
    }
}
