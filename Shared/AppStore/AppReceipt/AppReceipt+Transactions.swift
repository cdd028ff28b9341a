package import Contracts
import Domain

extension AppReceipt {
    /// The payments as StoreKit 2 would state them, oldest first, then by id; each once.
    package var transactions: [SignedTransaction] { inApp.map { transaction($0).asPayment }.eachPaymentOnce }

    /// One purchase as StoreKit 2 would state it.
    ///
    /// What a receipt does not hold stays absent: price, storefront, `appAccountToken`, ownership, reason of a
    /// revocation. Nor does it say whether a cancelled subscription was refunded or upgraded; both are a revocation.
    package func transaction(_ purchase: InAppPurchase) -> SignedTransaction {
        var transaction = SignedTransaction(
            transactionId: purchase.transactionId,
            originalTransactionId: purchase.originalTransactionId,
            bundleId: bundleId,
            productId: purchase.productId,
            purchaseDate: purchase.purchaseDate.moment.milliseconds,
            quantity: purchase.quantity,
            type: purchase.type,
            environment: environment.rawValue,
            signedDate: creationDate.moment.milliseconds
        )
        transaction.originalPurchaseDate = purchase.originalPurchaseDate?.moment.milliseconds
        transaction.expiresDate = purchase.expiresDate?.moment.milliseconds
        transaction.revocationDate = purchase.cancellationDate?.moment.milliseconds
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
    /// The payment that a row of a receipt stands for.
    ///
    /// A restored non-consumable has an id of its own and is no new payment: it stands for the one that it restores.
    /// And a row is as old as the purchase, or its cancellation, not as the receipt: a receipt does not deny a field
    /// that it lacks, such as a token, so whatever Apple signed of the transaction itself counts as newer.
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
    /// Genuine receipts have 0, 1 and 3; 2 is StoreKit's remaining type. Without 1707, only a subscription that
    /// renews has an expiry date, and of the others only a non-consumable is restored under another id; the rest
    /// counts as a consumable, which is granted once for each id and never moves. An unknown number stays unknown.
    package var type: String {
        switch productType {
        case 0: ProductType.nonConsumable
        case 1: ProductType.consumable
        case 2: ProductType.nonRenewing
        case 3: ProductType.autoRenewable
        case let other?: "Unknown (\(other))"
        case nil where expiresDate != nil: ProductType.autoRenewable
        case nil where transactionId != originalTransactionId: ProductType.nonConsumable
        case nil: ProductType.consumable
        }
    }
}

extension [SignedTransaction] {
    /// These payments, oldest first, then by id; of several statements of one the newest, so that a purchase that was
    /// cancelled is, whichever of its rows says so.
    var eachPaymentOnce: [SignedTransaction] {
        var seen: Set<String> = []
        return sorted { left, right in
            (left.purchaseDate, left.transactionId, right.signedDate)
                < (right.purchaseDate, right.transactionId, left.signedDate)
        }
        .filter { seen.insert($0.transactionId).inserted }
    }
}
