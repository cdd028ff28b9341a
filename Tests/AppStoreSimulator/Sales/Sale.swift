import Contracts

/// One transaction as it stands in the store's books.
struct Sale: Codable, Sendable {
    var transaction: SignedTransaction
    /// Grows with every change of any sale, over restarts too; milliseconds since 1970 where that is more.
    var modified: Int64 = 0
    /// Whether the app has finished it: a finished consumable leaves the buyer's receipt.
    var isFinished = false
    /// The id of the purchase of another member of the family through which this one came.
    var sharedFrom: String?

    init(_ transaction: SignedTransaction, sharedFrom: String? = nil) {
        self.transaction = transaction
        self.sharedFrom = sharedFrom
    }

    var id: String { transaction.transactionId }

    var isConsumable: Bool { transaction.type == "Consumable" }

    /// Whether another device of the buyer can have it without paying.
    var isRestorable: Bool { ["Non-Consumable", "Auto-Renewable Subscription"].contains(transaction.type) }

    /// Whether both transactions were paid for at once: one is the other, restored.
    func isSamePurchase(as other: Sale) -> Bool {
        isRestorable && transaction.originalTransactionId == other.transaction.originalTransactionId
            && transaction.webOrderLineItemId == other.transaction.webOrderLineItemId
    }

    var account: String { transaction.appTransactionId ?? transaction.originalTransactionId }
}
