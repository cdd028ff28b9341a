package import Contracts

/// `JWSTransactionDecodedPayload`: a transaction, every documented field.
///
/// Any field may be absent; `SignedTransaction` requires a payment's essential ones. Enumerations are raw
/// values; money is milliunits of `currency`.
package struct TransactionPayload: Codable, Hashable, Sendable {
    package var transactionId: String?
    package var originalTransactionId: String?
    package var previousOriginalTransactionId: String?
    package var webOrderLineItemId: String?
    package var appTransactionId: String?
    package var bundleId: String?
    package var productId: String?
    package var subscriptionGroupIdentifier: String?
    package var type: String?
    package var environment: String?
    package var signedDate: Milliseconds?

    package var purchaseDate: Milliseconds?
    package var originalPurchaseDate: Milliseconds?
    package var expiresDate: Milliseconds?
    package var quantity: Int?
    package var appAccountToken: String?
    package var inAppOwnershipType: String?
    package var transactionReason: String?
    package var isUpgraded: Bool?
    package var storefront: String?
    package var storefrontId: String?
    package var price: Int64?
    package var currency: String?

    package var revocationDate: Milliseconds?
    package var revocationReason: Int?
    package var revocationType: String?
    /// Milliunits of a percent, 0 to 100,000.
    package var revocationPercentage: Int?

    package var offerType: Int?
    package var offerIdentifier: String?
    package var offerDiscountType: String?
    package var offerPeriod: String?

    package var billingPlanType: String?
    package var commitmentInfo: Commitment?
    package var advancedCommerceInfo: AdvancedCommerceInfo?
    package var deviceVerification: String?
    package var deviceVerificationNonce: String?

    /// Position in a commitment billed in parts (`commitmentInfo`).
    package struct Commitment: Codable, Hashable, Sendable {
        package var billingPeriodNumber: Int?
        package var totalBillingPeriods: Int?
        package var commitmentExpiresDate: Milliseconds?
        /// Milliunits of the transaction's currency.
        package var commitmentPrice: Int64?
    }
}

extension TransactionPayload: SignedPayload {
    package var signingTime: Timestamp? { signedDate?.timestamp }

    /// The app that sold it.
    package var origin: SignedOrigin {
        SignedOrigin(.transaction, bundleId: bundleId, environment: environment)
    }
}
