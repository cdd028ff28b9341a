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
        expiresDate = signed.expiresDate.map(Timestamp.init(milliseconds:))
        revocationDate = signed.revocationDate.map(Timestamp.init(milliseconds:))
        revocationReason = signed.revocationReason
        revocationType = signed.revocationType
        revocationPercentage = signed.revocationPercentage
        isUpgraded = signed.isUpgraded
        inAppOwnershipType = signed.inAppOwnershipType
        appAccountToken = signed.appAccountToken == UUIDText.nilUUID ? nil : signed.appAccountToken
        price = signed.price
        currency = signed.currency
        storefront = signed.storefront
        guard signed.isPeriod else { return }
        transactionReason = signed.transactionReason
        subscriptionGroupIdentifier = signed.subscriptionGroupIdentifier
        offerType = signed.offerType
        offerIdentifier = signed.offerIdentifier
        offerDiscountType = signed.offerDiscountType
    }
}

extension SignedTransaction {
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
        expiresDate = facts.expiresDate?.milliseconds
        revocationDate = facts.revocationDate?.milliseconds
        revocationReason = facts.revocationReason
        revocationType = facts.revocationType
        revocationPercentage = facts.revocationPercentage
        isUpgraded = facts.isUpgraded
        inAppOwnershipType = facts.inAppOwnershipType
        appAccountToken = facts.appAccountToken
        price = facts.price
        currency = facts.currency
        storefront = facts.storefront
        transactionReason = facts.transactionReason
        subscriptionGroupIdentifier = facts.subscriptionGroupIdentifier
        offerType = facts.offerType
        offerIdentifier = facts.offerIdentifier
        offerDiscountType = facts.offerDiscountType
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
            && currency.fits && storefront.fits && transactionReason.fits && offerIdentifier.fits
            && offerDiscountType.fits && subscriptionGroupIdentifier.fits
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
