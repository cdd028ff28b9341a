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
    package var purchaseDate: Moment?
    package var originalPurchaseDate: Moment?
    package var quantity: Int?

    /// A moment at the proof's precision.
    package enum Moment: Hashable, Sendable {
        /// Milliseconds since 1970.
        case milliseconds(Int64)
        /// Seconds since 1970, truncated.
        case seconds(Int64)

        func agrees(with milliseconds: Int64) -> Bool {
            switch self {
            case .milliseconds(let stated): stated == milliseconds
            case .seconds(let stated): stated == milliseconds / 1_000
            }
        }
    }
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
    private func isRestored(_ transaction: SignedTransaction, _ purchaseDate: Moment) -> Bool {
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
        stated.purchaseDate = UnverifiedPurchase.Moment(purchaseDate)
        stated.originalPurchaseDate = originalPurchaseDate.map(UnverifiedPurchase.Moment.init)
        stated.quantity = quantity
        return stated.agrees(with: transaction)
    }
}

extension UnverifiedPurchase.Moment {
    fileprivate init(_ date: ReceiptDate) {
        let milliseconds = date.moment.milliseconds
        self = date.text.contains(".") ? .milliseconds(milliseconds) : .seconds(milliseconds / 1_000)
    }
}
