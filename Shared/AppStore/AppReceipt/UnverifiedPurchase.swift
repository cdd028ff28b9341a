package import Contracts
import Domain

/// What a proof says of one purchase, when its signature cannot be checked.
///
/// Anybody can write such a proof with a guessed id. A stranger does not know the rest: so it counts as far as it
/// agrees with what Apple itself signed of that transaction.
package struct UnverifiedPurchase: Hashable, Sendable {
    /// The transaction that Apple may be asked about.
    package var transactionId: String
    package var originalTransactionId: String?
    package var productId: String?
    package var bundleId: String?
    package var purchaseDate: Moment?
    package var originalPurchaseDate: Moment?
    package var quantity: Int?

    /// A moment as exactly as the proof states it.
    package enum Moment: Hashable, Sendable {
        /// Milliseconds since 1970.
        case milliseconds(Int64)
        /// Seconds since 1970, the rest cut off.
        case seconds(Int64)

        /// Whether it is this moment, in milliseconds since 1970.
        func agrees(with milliseconds: Int64) -> Bool {
            switch self {
            case .milliseconds(let stated): stated == milliseconds
            case .seconds(let stated): stated == milliseconds / 1_000
            }
        }
    }
}

extension UnverifiedPurchase {
    /// Whether every field is that of Apple's own signed transaction: product and date at least, which no stranger
    /// knows.
    ///
    /// The expiry of a subscription is not compared: Apple may have extended it since.
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

    /// Whether it is a non-consumable under an id that a restore gave it; then the dates of the originals are compared.
    private func isRestored(_ transaction: SignedTransaction, _ purchaseDate: Moment) -> Bool {
        guard transaction.type == ProductType.nonConsumable,
            originalTransactionId ?? transactionId == transaction.originalTransactionId
        else { return false }
        let original = transaction.originalPurchaseDate ?? transaction.purchaseDate
        return (originalPurchaseDate ?? purchaseDate).agrees(with: original)
    }
}

extension InAppPurchase {
    /// Whether the row of a receipt whose signature could not be checked is what Apple's own signed transaction says.
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
