package import Contracts
import Domain

extension AppReceipt {
    /// The payments as StoreKit 2 would state them, oldest first, then by id; each once.
    package var transactions: [SignedTransaction] { inApp.map { transaction($0).asPayment }.eachPaymentOnce }

    /// One purchase as StoreKit 2 would state it.
    ///
    /// A receipt has no price, storefront, `appAccountToken`, ownership or revocation reason. It does not say
    /// whether a cancelled subscription was refunded or upgraded; both count as a revocation.
    package func transaction(_ purchase: InAppPurchase) -> SignedTransaction {
        var transaction = SignedTransaction(
            transactionId: purchase.transactionId,
            originalTransactionId: purchase.originalTransactionId,
            bundleId: bundleId,
            productId: purchase.productId,
            purchaseDate: purchase.purchaseDate.milliseconds,
            quantity: purchase.quantity,
            type: purchase.type,
            environment: environment.rawValue,
            signedDate: creationDate.milliseconds
        )
        transaction.originalPurchaseDate = purchase.originalPurchaseDate?.milliseconds
        transaction.expiresDate = purchase.expiresDate?.milliseconds
        transaction.revocationDate = purchase.cancellationDate?.milliseconds
        transaction.webOrderLineItemId = purchase.webOrderLineItemId.flatMap { $0 == 0 ? nil : String($0) }
        if let offer = purchase.promotionalOfferId {
            transaction.offerType = OfferType.promotional
            transaction.offerIdentifier = offer
        } else if purchase.isTrialPeriod == true || purchase.isInIntroOfferPeriod == true {
            transaction.offerType = OfferType.introductory
        }
        if purchase.isTrialPeriod == true { transaction.offerDiscountType = "FREE_TRIAL" }
        return transaction
    }

    private enum OfferType {
        static let introductory = 1
        static let promotional = 2
    }
}

extension SignedTransaction {
    /// The payment that a receipt's row stands for.
    ///
    /// A restored non-consumable is no new payment: it stands for its original. A row is dated by purchase or
    /// cancellation, not by receipt: a receipt lacks fields such as the token, so a transaction that Apple
    /// signed counts as newer.
    var asPayment: SignedTransaction {
        var payment = self
        if PurchaseID(of: self)?.rawValue == originalTransactionId, transactionId != originalTransactionId {
            payment.transactionId = originalTransactionId
            payment.purchaseDate = originalPurchaseDate ?? purchaseDate
        }
        payment.signedDate = revocationDate ?? originalPurchaseDate ?? purchaseDate
        return payment
    }
}

extension InAppPurchase {
    /// The product's type as StoreKit 2 names it, from attribute 1707.
    ///
    /// Genuine receipts have 0, 1 and 3; 2 is StoreKit's remaining type. Without 1707, only an auto-renewable
    /// subscription has an expiry date, and only a non-consumable is restored under another id; the rest
    /// states no type. An unknown number stays unknown.
    package var type: String {
        switch productType {
        case 0: ProductType.nonConsumable
        case 1: ProductType.consumable
        case 2: ProductType.nonRenewing
        case 3: ProductType.autoRenewable
        case let other?: "Unknown (\(other))"
        case nil where expiresDate != nil: ProductType.autoRenewable
        case nil where transactionId != originalTransactionId: ProductType.nonConsumable
        case nil: ""
        }
    }
}

extension [SignedTransaction] {
    /// These payments, oldest first, then by id; the newest of each, so that a cancellation in any row
    /// counts.
    var eachPaymentOnce: [SignedTransaction] {
        var seen: Set<String> = []
        return sorted { left, right in
            (left.purchaseDate, left.transactionId, right.signedDate)
                < (right.purchaseDate, right.transactionId, left.signedDate)
        }
        .filter { seen.insert($0.transactionId).inserted }
    }
}
