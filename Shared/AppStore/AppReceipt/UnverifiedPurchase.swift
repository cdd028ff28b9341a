package import Contracts
import Domain

/// What a proof states of one purchase, when nobody could check who signed it.
///
/// Anybody can write such a proof with an id that he guessed. What a stranger does not know is the rest: so it
/// counts for as much as it agrees with what Apple itself signed of that transaction.
package struct UnverifiedPurchase: Hashable, Sendable {
    /// The transaction that Apple may be asked about.
    package var transactionId: String
    package var originalTransactionId: String?
    package var productId: String?
    package var bundleId: String?
    package var purchaseDate: Moment?
    package var originalPurchaseDate: Moment?
    package var quantity: Int?

    package init(transactionId: String) { self.transactionId = transactionId }

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
    /// Whether all that is stated is what Apple's own signed transaction says: product and date of the purchase
    /// at least, which a stranger cannot know.
    ///
    /// When a subscription expires is not among it: Apple may have extended it since.
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
        return isOnceMore(transaction, purchaseDate)
    }

    /// Whether it is a non-consumable that has one id more for every time that it is restored.
    ///
    /// Such a proof is dated when it was restored; the payment that it restores is told by its original's date.
    private func isOnceMore(_ transaction: SignedTransaction, _ purchaseDate: Moment) -> Bool {
        guard transaction.type == ProductType.nonConsumable,
            originalTransactionId ?? transactionId == transaction.originalTransactionId
        else { return false }
        let original = transaction.originalPurchaseDate ?? transaction.purchaseDate
        return (originalPurchaseDate ?? purchaseDate).agrees(with: original)
    }
}

extension InAppPurchase {
    /// Whether the row of a receipt whose signature could not be checked is what Apple's own signed transaction
    /// says; whose app the receipt is, the row does not state.
    package func agrees(with transaction: SignedTransaction) -> Bool {
        stated.agrees(with: transaction)
    }

    private var stated: UnverifiedPurchase {
        var stated = UnverifiedPurchase(transactionId: transactionId)
        stated.originalTransactionId = originalTransactionId
        stated.productId = productId
        stated.purchaseDate = UnverifiedPurchase.Moment(purchaseDate)
        stated.originalPurchaseDate = originalPurchaseDate.map(UnverifiedPurchase.Moment.init)
        stated.quantity = quantity
        return stated
    }
}

extension UnverifiedPurchase.Moment {
    fileprivate init(_ date: ReceiptDate) {
        let milliseconds = date.moment.milliseconds
        self = date.text.contains(".") ? .milliseconds(milliseconds) : .seconds(milliseconds / 1_000)
    }
}
