import Contracts
import Domain

/// A purchase that pays an order, and the transaction id under which it did.
struct PaidPurchase: Hashable, Sendable {
    let id: PurchaseID
    let transactionID: TransactionID
}

extension PaidPurchase {
    init(_ transaction: TransactionFacts) {
        self.init(id: transaction.purchaseId, transactionID: transaction.transactionId)
    }

    /// Whether both are one purchase, though it may have come under another key, or with another transaction.
    func isSame(as other: PaidPurchase) -> Bool { id == other.id || transactionID == other.transactionID }
}

extension TransactionFacts {
    /// Whether every proof of the purchase gives it the same key: its transaction id.
    var hasOneKey: Bool { type == "Consumable" || type == "Non-Renewing Subscription" }

    /// Whether a proof of the purchase may have given it this key.
    func mayHave(_ key: PurchaseID) -> Bool {
        let lineItem = isAddition ? nil : webOrderLineItemId
        let period = lineItem.flatMap { PurchaseID(chain: originalTransactionId, lineItem: $0) }
        return key == purchaseId || key == PurchaseID(transactionId) || key == period
    }

    /// These facts under the key with which `order` was paid: the first key of a purchase stays.
    func paying(_ order: Order) -> TransactionFacts {
        guard case .paid(let payer, _) = order.payment else { return self }
        var facts = self
        facts.purchaseId = payer.id
        return facts
    }
}

extension Submission {
    /// This submission of a purchase whose key changes to that of `after`: it goes on naming its transaction.
    func named(_ before: TransactionFacts, _ after: TransactionFacts) -> Submission {
        guard before.purchaseId != after.purchaseId, transactionId == nil else { return self }
        var submission = self
        submission.transactionId = before.transactionId
        return submission
    }
}
