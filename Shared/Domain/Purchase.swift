package import Contracts

/// The one place that says what a purchase is.
///
/// Restores and second devices make new transaction ids for the same payment (StoreKit: `originalID` is `id` "except when
/// the user restores a purchase or renews"), so a transaction id is not always the key of a payment:
///
/// | type                        | its purchase |
/// |-----------------------------|--------------|
/// | Non-Consumable              | the original transaction id |
/// | Auto-Renewable Subscription | the original transaction id and `webOrderLineItemId`; without one, the transaction id |
/// | not stated, as in old receipts | with neither expiry nor `webOrderLineItemId` as a Non-Consumable, else as an Auto-Renewable |
/// | everything else             | the transaction id |
///
/// A `webOrderLineItemId` that is empty or `0` is none. It never stands alone, as members of a family may share it.
extension PurchaseID {
    /// The purchase of a transaction; nil when its ids are none.
    package init?(of signed: SignedTransaction) {
        guard let transaction = TransactionID(rawValue: signed.transactionId),
            let original = TransactionID(rawValue: signed.originalTransactionId)
        else { return nil }
        let lineItem = signed.webOrderLineItemId.flatMap { $0 == "0" ? nil : $0 }
        let period = lineItem.flatMap { PurchaseID(chain: original, lineItem: $0) }
        switch signed.type {
        case ProductType.nonConsumable: self.init(original)
        case ProductType.autoRenewable: self = period ?? PurchaseID(transaction)
        case "" where signed.expiresDate == nil && period == nil: self.init(original)
        case "": self = period ?? PurchaseID(transaction)
        default: self.init(transaction)
        }
    }
}

extension SignedTransaction {
    /// When the purchase was made, in ms since 1970: what was bought once is dated by its last restore otherwise.
    ///
    /// A restored purchase that does not tell is as old as can be.
    package var boughtDate: Int64 {
        guard type == ProductType.nonConsumable, transactionId != originalTransactionId else {
            return purchaseDate
        }
        return min(originalPurchaseDate ?? 0, purchaseDate)
    }
}

/// The types of product as StoreKit 2 names them.
package enum ProductType {
    /// Used up, and bought again.
    package static let consumable = "Consumable"
    /// Bought once, and restored at will.
    package static let nonConsumable = "Non-Consumable"
    /// Ends, and is bought again.
    package static let nonRenewing = "Non-Renewing Subscription"
    /// Renews until it is cancelled.
    package static let autoRenewable = "Auto-Renewable Subscription"
}
