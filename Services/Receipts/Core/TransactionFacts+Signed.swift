import Contracts
import Domain

extension TransactionFacts {
    /// The facts of a signed transaction; nil if an id is invalid, nothing was bought, or no message has room for it.
    ///
    /// The purchase is the transaction's own statement; its claim knows the first statement, which counts.
    init?(_ signed: SignedTransaction) {
        guard let bundleID = BundleID(rawValue: signed.bundleId),
            let transactionID = TransactionID(rawValue: signed.transactionId),
            let originalTransactionID = TransactionID(rawValue: signed.originalTransactionId),
            let purchaseID = PurchaseID(of: signed),
            let productID = ProductID(rawValue: signed.productId),
            signed.quantity > 0, signed.isCarried
        else { return nil }
        self.init(
            environment: Environment(rawValue: signed.environment),
            bundleId: bundleID,
            transactionId: transactionID,
            originalTransactionId: originalTransactionID,
            purchaseId: purchaseID,
            productId: productID,
            quantity: signed.quantity,
            type: signed.type,
            purchaseDate: Timestamp(milliseconds: signed.purchaseDate),
            signedDate: Timestamp(milliseconds: signed.signedDate)
        )
        // Of most purchases it is the same, and every message would carry it.
        if signed.originalPurchaseDate != signed.purchaseDate {
            originalPurchaseDate = signed.originalPurchaseDate.map(Timestamp.init(milliseconds:))
        }
        expiresDate = signed.expiresDate.map(Timestamp.init(milliseconds:))
        revocationDate = signed.revocationDate.map(Timestamp.init(milliseconds:))
        revocationReason = signed.revocationReason
        revocationType = signed.revocationType
        revocationPercentage = signed.revocationPercentage
        isUpgraded = signed.isUpgraded
        inAppOwnershipType = signed.inAppOwnershipType
        webOrderLineItemId = signed.lineItem
        appAccountToken = signed.appAccountToken == UUIDText.nilUUID ? nil : signed.appAccountToken
        price = signed.price
        currency = signed.currency
        storefront = signed.storefront
        guard signed.isPeriod else { return }
        transactionReason = signed.transactionReason
        additionalTransactionReason = signed.additionalTransactionReason
        let seats = signed.multiSeatInfo.flatMap(Seats.init)
        (seatsPrice, revokedSeatQuantity) = (seats?.price, seats?.revoked)
        subscriptionGroupIdentifier = signed.subscriptionGroupIdentifier
        offerType = signed.offerType
        offerIdentifier = signed.offerIdentifier
        offerDiscountType = signed.offerDiscountType
        billingPlanType = signed.billingPlanType
    }
}

extension SignedTransaction {
    /// Most bytes of each of Apple's words and names; product ids may be this long.
    static let wordBytes = 255
    /// Most levels of arrays and objects in the parts that may be any JSON; Apple's have five.
    static let levels = 32

    /// Whether it and its facts fit into every message that carries them, beside all that others add.
    fileprivate var isCarried: Bool {
        type.fits && environment.fits && revocationType.fits && inAppOwnershipType.fits
            && appAccountToken.fits
            && currency.fits && storefront.fits && transactionReason.fits
            && additionalTransactionReason.fits
            && webOrderLineItemId.fits && offerIdentifier.fits
            && offerDiscountType.fits && subscriptionGroupIdentifier.fits && billingPlanType.fits
            && (multiSeatInfo?.levels ?? 0) <= Self.levels
            && (commitmentInfo?.levels ?? 0) <= Self.levels
            && (advancedCommerceInfo?.levels ?? 0) <= Self.levels
    }
}

extension String {
    /// Whether this is a name or a word of Apple's that every message has room for.
    var isAppleName: Bool { isPrintable(bytes: 1...SignedTransaction.wordBytes) }

    fileprivate var fits: Bool { isPrintable(bytes: 0...SignedTransaction.wordBytes) }
}

extension String? {
    fileprivate var fits: Bool { map(\.fits) ?? true }
}
