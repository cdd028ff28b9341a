package import Contracts

/// `JWSRenewalInfoDecodedPayload`: a subscription's next renewal, every documented field.
///
/// It names no app: trust it only beside a transaction of the same `originalTransactionId`. Enumerations are
/// raw values; money is milliunits of `currency`.
package struct RenewalInfoPayload: Codable, Hashable, Sendable {
    package var originalTransactionId: String?
    package var appTransactionId: String?
    package var productId: String?
    package var environment: String?
    package var signedDate: Milliseconds?
    package var appAccountToken: String?

    package var autoRenewProductId: String?
    /// 0: ends with its period, 1: renews.
    package var autoRenewStatus: Int?
    package var renewalDate: Milliseconds?
    package var renewalPrice: Int64?
    package var currency: String?
    package var renewalBillingPlanType: String?
    package var recentSubscriptionStartDate: Milliseconds?
    /// 1: cancelled, 2: billing error, 3: no consent to a price, 4: product not available, 5: other.
    package var expirationIntent: Int?
    package var isInBillingRetryPeriod: Bool?
    package var gracePeriodExpiresDate: Milliseconds?
    /// 0: not consented yet, 1: consented.
    package var priceIncreaseStatus: Int?

    package var offerType: Int?
    package var offerIdentifier: String?
    package var offerDiscountType: String?
    package var offerPeriod: String?
    package var eligibleWinBackOfferIds: [String]?

    /// How a commitment billed in parts will renew.
    package var commitmentInfo: JSONValue?
    package var advancedCommerceInfo: JSONValue?
    package var deviceVerification: String?
    package var deviceVerificationNonce: String?
}

extension RenewalInfoPayload: SignedPayload {
    package var signingTime: Timestamp? { signedDate?.timestamp }

    package var origin: SignedOrigin { SignedOrigin(.renewalInfo, environment: environment) }
}
