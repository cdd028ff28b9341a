/// The signed facts of a transaction that Orders and Entitlements need, and its purchase.
///
/// Names and meanings are those of StoreKit's `JWSTransactionDecodedPayload`.
package struct TransactionFacts: Codable, Hashable, Sendable, DirectlyCoded {
    package var environment: Environment
    package var bundleId: BundleID
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    /// Several transactions may belong to one purchase; the newest counts.
    package var purchaseId: PurchaseID
    package var productId: ProductID
    package var quantity: Int
    /// Apple's raw `type`, such as `Consumable`.
    package var type: String
    package var purchaseDate: Timestamp
    /// Time of Apple's signature; of two statements about one transaction the later one wins.
    package var signedDate: Timestamp
    /// When a restored purchase, or the first period of a chain, was bought; nil where that is the purchase date.
    package var originalPurchaseDate: Timestamp?
    package var expiresDate: Timestamp?
    package var revocationDate: Timestamp?
    package var revocationReason: Int?
    package var revocationType: String?
    /// Refunded share in milliunits of a percent, 0 to 100,000; absent means all.
    package var revocationPercentage: Int?
    package var isUpgraded: Bool?
    /// `PURCHASED`, `FAMILY_SHARED`, `ASSIGNED`, or newer; nil of an app receipt, which does not say it.
    package var inAppOwnershipType: String?
    package var webOrderLineItemId: String?
    /// As the app gave it to StoreKit: an order's id, or the app's own UUID.
    package var appAccountToken: String?
    /// Milliunits of `currency`, quantity and offer included, but of seats their average; not for accounting.
    package var price: Int64?
    /// Milliunits of `currency`: the sum of the price tiers of seats.
    package var seatsPrice: Int64?
    /// How many of the `quantity` seats were refunded.
    package var revokedSeatQuantity: Int?
    package var currency: String?
    package var storefront: String?
    /// `PURCHASE` or `RENEWAL`; with the six that follow, only of an auto-renewable subscription.
    package var transactionReason: String?
    /// `SEAT_ADDITION`, or newer.
    package var additionalTransactionReason: String?
    package var subscriptionGroupIdentifier: String?
    /// 1: introductory, 2: promotional, 3: offer code, 4: win-back.
    package var offerType: Int?
    package var offerIdentifier: String?
    package var offerDiscountType: String?
    /// `BILLED_UPFRONT`, `MONTHLY` of a commitment of 12 months, or newer.
    package var billingPlanType: String?

    /// Without a purchase id, the transaction id is the purchase.
    package init(
        environment: Environment,
        bundleId: BundleID,
        transactionId: TransactionID,
        originalTransactionId: TransactionID,
        purchaseId: PurchaseID? = nil,
        productId: ProductID,
        quantity: Int,
        type: String,
        purchaseDate: Timestamp,
        signedDate: Timestamp
    ) {
        self.environment = environment
        self.bundleId = bundleId
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.purchaseId = purchaseId ?? PurchaseID(transactionId)
        self.productId = productId
        self.quantity = quantity
        self.type = type
        self.purchaseDate = purchaseDate
        self.signedDate = signedDate
    }
}

extension TransactionFacts {
    /// The facts under the submission's id for the purchase.
    package func named(by submission: Submission) -> TransactionFacts {
        var facts = self
        facts.transactionId = submission.transactionId ?? TransactionID(unchecked: purchaseId.rawValue)
        return facts
    }
}
