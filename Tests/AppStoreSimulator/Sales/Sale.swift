import Contracts

/// One transaction as it stands in the store's books.
///
/// A line of the journal is the transaction with Apple's field names and, beside them, what only the store
/// knows, under names that begin with an underscore.
struct Sale: Sendable {
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

    /// The Apple Account within the app.
    var account: String { transaction.appTransactionId ?? transaction.originalTransactionId }
}

extension Sale: Codable {
    private enum Keys: String, CodingKey {
        case modified = "_modified"
        case isFinished = "_finished"
        case sharedFrom = "_sharedFrom"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        transaction = try SignedTransaction(from: decoder)
        modified = try fields.decodeIfPresent(Int64.self, forKey: .modified) ?? transaction.signedDate
        isFinished = try fields.decodeIfPresent(Bool.self, forKey: .isFinished) ?? false
        sharedFrom = try fields.decodeIfPresent(String.self, forKey: .sharedFrom)
    }

    func encode(to encoder: any Encoder) throws {
        try transaction.encode(to: encoder)
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(modified, forKey: .modified)
        if isFinished { try fields.encode(true, forKey: .isFinished) }
        try fields.encodeIfPresent(sharedFrom, forKey: .sharedFrom)
    }
}
