package import Contracts

/// Defines what a purchase is.
///
/// Restores and second devices make new transaction ids for the same payment (StoreKit: `originalID` is `id` "except
/// when the user restores a purchase or renews"), so a transaction id is not always the key of a payment:
///
/// | type                        | its purchase |
/// |-----------------------------|--------------|
/// | Non-Consumable              | the original transaction id |
/// | Auto-Renewable Subscription | the original transaction id and `webOrderLineItemId`; without one, the transaction id |
/// | not stated, as in old receipts | with neither expiry nor `webOrderLineItemId` as a Non-Consumable, else as an Auto-Renewable |
/// | any with an `additionalTransactionReason` | the transaction id |
/// | everything else             | the transaction id |
/// | `ASSIGNED`, of any type     | the transaction id: whether a member's copy has its purchaser's ids is not known |
///
/// An empty or `0` `webOrderLineItemId` counts as none. It is no key alone: family members may share it, and so may two
/// purchases of a chain (`LineItemPurchase`). What is added to a period is paid for besides it, under its line item.
///
/// A period that is stated with a line item and, under another transaction id, without one has two such keys. Receipts
/// knows it by its product and when it begins, and it keeps the key that came first.
extension PurchaseID {
    /// Nil when the transaction's ids are invalid.
    package init?(of signed: SignedTransaction) {
        guard let transaction = TransactionID(rawValue: signed.transactionId),
            let original = TransactionID(rawValue: signed.originalTransactionId)
        else { return nil }
        let period = signed.lineItem.flatMap { PurchaseID(chain: original, lineItem: $0) }
        switch signed.type {
        case _ where signed.inAppOwnershipType == Ownership.assigned || signed.isAddition:
            self.init(transaction)
        case ProductType.nonConsumable: self.init(original)
        case ProductType.autoRenewable: self = period ?? PurchaseID(transaction)
        case "" where signed.expiresDate == nil && period == nil: self.init(original)
        case "": self = period ?? PurchaseID(transaction)
        default: self.init(transaction)
        }
    }
}

extension SignedTransaction {
    /// How long before a period Apple may charge for its renewal, ms.
    private static let renewalLead: Int64 = 86_400_000

    /// When the purchase was made at the earliest, ms since 1970: for a restored one the original date, or 0.
    ///
    /// A renewal is paid before its period begins.
    package var boughtDate: Int64 {
        if isPeriod, transactionReason == "RENEWAL" { return purchaseDate - Self.renewalLead }
        guard type == ProductType.nonConsumable, transactionId != originalTransactionId else {
            return purchaseDate
        }
        return min(originalPurchaseDate ?? 0, purchaseDate)
    }
}

extension SignedTransaction {
    /// The `webOrderLineItemId` that it states; nil for none.
    package var lineItem: String? { webOrderLineItemId.flatMap { $0.isEmpty || $0 == "0" ? nil : $0 } }

    /// Whether it states why it is paid besides a period, such as for added seats.
    package var isAddition: Bool { additionalTransactionReason.map { !$0.isEmpty } ?? false }

    /// Whether it pays for a period of an auto-renewable subscription; old receipts state no type, but when it expires.
    package var isPeriod: Bool { type == ProductType.autoRenewable || type.isEmpty && expiresDate != nil }
}

extension TransactionFacts {
    /// The order that the token names, whatever case Apple has given it.
    package var tokenOrder: OrderID? { appAccountToken.flatMap(OrderID.init(rawValue:)) }

    /// When the purchase was made, by Apple's clock: of a restored one, when it was bought first.
    package var madeAt: Timestamp {
        guard type == ProductType.nonConsumable, transactionId != originalTransactionId else {
            return purchaseDate
        }
        return originalPurchaseDate ?? purchaseDate
    }

    /// As `SignedTransaction.isAddition`.
    package var isAddition: Bool { additionalTransactionReason.map { !$0.isEmpty } ?? false }

    /// As `SignedTransaction.isPeriod`.
    package var isPeriod: Bool { type == ProductType.autoRenewable || type.isEmpty && expiresDate != nil }
}
