import Contracts
import Domain

extension SignedTransaction {
    /// The statement that facts were made of, as far as they have it.
    init(_ facts: TransactionFacts) {
        self.init(
            transactionId: facts.transactionId.rawValue,
            originalTransactionId: facts.originalTransactionId.rawValue,
            bundleId: facts.bundleId.rawValue,
            productId: facts.productId.rawValue,
            purchaseDate: facts.purchaseDate.milliseconds,
            quantity: facts.quantity,
            type: facts.type,
            environment: facts.environment.rawValue,
            signedDate: facts.signedDate.milliseconds
        )
        originalPurchaseDate = facts.originalPurchaseDate?.milliseconds
        expiresDate = facts.expiresDate?.milliseconds
        revocationDate = facts.revocationDate?.milliseconds
        revocationReason = facts.revocationReason
        revocationType = facts.revocationType
        revocationPercentage = facts.revocationPercentage
        isUpgraded = facts.isUpgraded
        inAppOwnershipType = facts.inAppOwnershipType
        webOrderLineItemId = facts.webOrderLineItemId
        appAccountToken = facts.appAccountToken
        price = facts.price
        currency = facts.currency
        storefront = facts.storefront
        transactionReason = facts.transactionReason
        additionalTransactionReason = facts.additionalTransactionReason
        multiSeatInfo = Seats(price: facts.seatsPrice, revoked: facts.revokedSeatQuantity).stated
        subscriptionGroupIdentifier = facts.subscriptionGroupIdentifier
        offerType = facts.offerType
        offerIdentifier = facts.offerIdentifier
        offerDiscountType = facts.offerDiscountType
        billingPlanType = facts.billingPlanType
    }
}
