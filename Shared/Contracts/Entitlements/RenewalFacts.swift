/// What Apple said last about the renewal of a subscription.
///
/// Names and meanings are those of StoreKit's `JWSRenewalInfoDecodedPayload`.
package struct RenewalFacts: Codable, Hashable, Sendable, DirectlyCoded {
    /// Time of Apple's signature; of two statements about one subscription the later one wins.
    package var signedDate: Timestamp
    /// 0: ends with its period, 1: renews; of a commitment of 12 months what it does after the last of its periods.
    package var autoRenewStatus: Int? = nil
    package var autoRenewProductId: ProductID? = nil
    package var isInBillingRetryPeriod: Bool? = nil
    package var gracePeriodExpiresDate: Timestamp? = nil
    /// 1: cancelled, 2: billing error, 3: no consent to a price, 4: product not available, 5: other.
    package var expirationIntent: Int? = nil
    /// Milliunits of `currency`; of seats their average.
    package var renewalPrice: Int64? = nil
    package var currency: String? = nil
    /// 0: not consented yet, 1: consented; nil without a price increase that asks for it.
    package var priceIncreaseStatus: Int? = nil
}
