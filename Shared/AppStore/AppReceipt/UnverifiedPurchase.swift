package import Contracts
import Domain

/// An unverifiable proof's claims about one purchase.
///
/// Anybody can write such a proof with a guessed id, but a stranger does not know the other fields. So it
/// counts as far as it agrees with the transaction that Apple signed.
package struct UnverifiedPurchase: Hashable, Sendable {
    package var transactionId: String
    package var originalTransactionId: String?
    package var productId: String?
    package var bundleId: String?
    package var purchaseDate: Timestamp?
    package var originalPurchaseDate: Timestamp?
    package var quantity: Int?
}

extension UnverifiedPurchase {
    /// Whether all but the expiry, which Apple may extend, matches Apple's transaction: at least product and
    /// date, which no stranger knows.
    package func agrees(with transaction: SignedTransaction) -> Bool {
        guard let productId, let purchaseDate, productId == transaction.productId,
            bundleId == nil || bundleId == transaction.bundleId,
            quantity == nil || quantity == transaction.quantity
        else { return false }
        guard transactionId != transaction.transactionId else {
            return purchaseDate.agrees(with: transaction.purchaseDate)
                && (originalTransactionId ?? transaction.originalTransactionId)
                    == transaction.originalTransactionId
        }
        return isRestored(transaction, purchaseDate)
    }

    /// A non-consumable under a restore's id; then the original dates are compared.
    private func isRestored(_ transaction: SignedTransaction, _ purchaseDate: Timestamp) -> Bool {
        guard transaction.type == ProductType.nonConsumable,
            originalTransactionId ?? transactionId == transaction.originalTransactionId
        else { return false }
        let original = transaction.originalPurchaseDate ?? transaction.purchaseDate
        return (originalPurchaseDate ?? purchaseDate).agrees(with: original)
    }
}

extension InAppPurchase {
    /// Whether an unverified receipt's row matches Apple's signed transaction.
    package func agrees(with transaction: SignedTransaction) -> Bool {
        var stated = UnverifiedPurchase(transactionId: transactionId)
        stated.originalTransactionId = originalTransactionId
        stated.productId = productId
        stated.purchaseDate = purchaseDate
        stated.originalPurchaseDate = originalPurchaseDate
        stated.quantity = quantity
        return stated.agrees(with: transaction)
    }
}

extension Timestamp {
    /// Whole seconds may be cut off, so they agree with each ms of their second.
    fileprivate func agrees(with milliseconds: Int64) -> Bool {
        let isWhole = self.milliseconds.isMultiple(of: 1_000)
        return self.milliseconds == (isWhole ? milliseconds / 1_000 * 1_000 : milliseconds)
    }
}
