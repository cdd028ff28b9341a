/// One transaction as Apple signed it: StoreKit's `JWSTransactionDecodedPayload`, every documented field.
///
/// Names and meanings are Apple's. Dates are ms since 1970 (Xcode's fractions are cut off), money is
/// milliunits of `currency`, enumerations keep their raw value, known or not.
package struct SignedTransaction: Codable, Hashable, Sendable, DirectlyCoded {
    /// One payment may have several; `PurchaseID` is the key under which it is granted once.
    package var transactionId: String
    /// The first transaction of a subscription's chain; equal to `transactionId` on a first purchase.
    package var originalTransactionId: String
    package var bundleId: String
    package var productId: String
    package var purchaseDate: Int64
    package var quantity: Int
    /// `Consumable`, `Non-Consumable`, `Auto-Renewable Subscription`, `Non-Renewing Subscription`, or newer.
    package var type: String
    package var environment: String
    /// Time of Apple's signature; of two statements about one transaction the later one wins.
    package var signedDate: Int64

    package var originalPurchaseDate: Int64?
    package var expiresDate: Int64?
    package var webOrderLineItemId: String?
    package var subscriptionGroupIdentifier: String?
    /// A UUID from the app; Apple may change its case.
    package var appAccountToken: String?
    /// `PURCHASED`, `FAMILY_SHARED`, `ASSIGNED`, or newer.
    package var inAppOwnershipType: String?
    /// `PURCHASE`, `RENEWAL`, or newer.
    package var transactionReason: String?
    /// `SEAT_ADDITION` of every transaction of a period to which seats were added, or newer.
    package var additionalTransactionReason: String?
    /// The seats of a period that was bought for several people: price tiers, and how many were refunded.
    package var multiSeatInfo: JSONValue?
    package var isUpgraded: Bool?
    package var storefront: String?
    package var storefrontId: String?
    /// Quantity and offer included; not for accounting.
    package var price: Int64?
    package var currency: String?
    /// One value per Apple Account and app; absent before mid-2025.
    package var appTransactionId: String?

    package var revocationDate: Int64?
    /// 1: an issue with the app, 0: another reason.
    package var revocationReason: Int?
    /// `REFUND_FULL`, `REFUND_PRORATED`, `FAMILY_REVOKE`, `ASSIGNMENT_REVOKE`, or newer; absent before 2025.
    package var revocationType: String?
    /// Refunded share in milliunits of a percent, 0 to 100,000; absent means all.
    package var revocationPercentage: Int?

    /// 1: introductory, 2: promotional, 3: offer code, 4: win-back.
    package var offerType: Int?
    package var offerIdentifier: String?
    package var offerDiscountType: String?
    /// An ISO 8601 duration.
    package var offerPeriod: String?

    package var billingPlanType: String?
    package var commitmentInfo: JSONValue?
    package var advancedCommerceInfo: JSONValue?
    package var previousOriginalTransactionId: String?
    package var deviceVerification: String?
    package var deviceVerificationNonce: String?

    package init(
        transactionId: String,
        originalTransactionId: String,
        bundleId: String,
        productId: String,
        purchaseDate: Int64,
        quantity: Int = 1,
        type: String,
        environment: String,
        signedDate: Int64
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.bundleId = bundleId
        self.productId = productId
        self.purchaseDate = purchaseDate
        self.quantity = quantity
        self.type = type
        self.environment = environment
        self.signedDate = signedDate
    }
}

extension SignedTransaction {
    /// An absent `quantity` is 1; undocumented fields are ignored.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        transactionId = try fields.decode(String.self, forKey: .transactionId)
        originalTransactionId = try fields.decode(String.self, forKey: .originalTransactionId)
        bundleId = try fields.decode(String.self, forKey: .bundleId)
        productId = try fields.decode(String.self, forKey: .productId)
        purchaseDate = try fields.decode(Milliseconds.self, forKey: .purchaseDate).count
        quantity = try fields.decodeIfPresent(Int.self, forKey: .quantity) ?? 1
        type = try fields.decode(String.self, forKey: .type)
        environment = try fields.decode(String.self, forKey: .environment)
        signedDate = try fields.decode(Milliseconds.self, forKey: .signedDate).count

        originalPurchaseDate = try fields.decodeIfPresent(Milliseconds.self, forKey: .originalPurchaseDate)?
            .count
        expiresDate = try fields.decodeIfPresent(Milliseconds.self, forKey: .expiresDate)?.count
        webOrderLineItemId = try fields.decodeIfPresent(String.self, forKey: .webOrderLineItemId)
        subscriptionGroupIdentifier = try fields.decodeIfPresent(
            String.self,
            forKey: .subscriptionGroupIdentifier
        )
        appAccountToken = try fields.decodeIfPresent(String.self, forKey: .appAccountToken)
        inAppOwnershipType = try fields.decodeIfPresent(String.self, forKey: .inAppOwnershipType)
        transactionReason = try fields.decodeIfPresent(String.self, forKey: .transactionReason)
        additionalTransactionReason = try fields.decodeIfPresent(
            String.self,
            forKey: .additionalTransactionReason
        )
        multiSeatInfo = try fields.decodeIfPresent(JSONValue.self, forKey: .multiSeatInfo)
        isUpgraded = try fields.decodeIfPresent(Bool.self, forKey: .isUpgraded)
        storefront = try fields.decodeIfPresent(String.self, forKey: .storefront)
        storefrontId = try fields.decodeIfPresent(String.self, forKey: .storefrontId)
        price = try fields.decodeIfPresent(Int64.self, forKey: .price)
        currency = try fields.decodeIfPresent(String.self, forKey: .currency)
        appTransactionId = try fields.decodeIfPresent(String.self, forKey: .appTransactionId)

        revocationDate = try fields.decodeIfPresent(Milliseconds.self, forKey: .revocationDate)?.count
        revocationReason = try fields.decodeIfPresent(Int.self, forKey: .revocationReason)
        revocationType = try fields.decodeIfPresent(String.self, forKey: .revocationType)
        revocationPercentage = try fields.decodeIfPresent(Int.self, forKey: .revocationPercentage)

        offerType = try fields.decodeIfPresent(Int.self, forKey: .offerType)
        offerIdentifier = try fields.decodeIfPresent(String.self, forKey: .offerIdentifier)
        offerDiscountType = try fields.decodeIfPresent(String.self, forKey: .offerDiscountType)
        offerPeriod = try fields.decodeIfPresent(String.self, forKey: .offerPeriod)

        billingPlanType = try fields.decodeIfPresent(String.self, forKey: .billingPlanType)
        commitmentInfo = try fields.decodeIfPresent(JSONValue.self, forKey: .commitmentInfo)
        advancedCommerceInfo = try fields.decodeIfPresent(JSONValue.self, forKey: .advancedCommerceInfo)
        previousOriginalTransactionId = try fields.decodeIfPresent(
            String.self,
            forKey: .previousOriginalTransactionId
        )
        deviceVerification = try fields.decodeIfPresent(String.self, forKey: .deviceVerification)
        deviceVerificationNonce = try fields.decodeIfPresent(String.self, forKey: .deviceVerificationNonce)
    }
}
