/// What Apple said last about the renewal of a subscription.
///
/// Names and meanings are those of StoreKit's `JWSRenewalInfoDecodedPayload`.
package struct RenewalFacts: Codable, Hashable, Sendable {
    /// Time of Apple's signature; of two statements about one subscription the later one wins.
    package var signedDate: Timestamp
    /// 0: ends with its period, 1: renews; of a commitment of 12 months what it does after the last of its periods.
    package var autoRenewStatus: Int?
    package var autoRenewProductId: ProductID?
    package var isInBillingRetryPeriod: Bool?
    package var gracePeriodExpiresDate: Timestamp?
    /// 1: cancelled, 2: billing error, 3: no consent to a price, 4: product not available, 5: other.
    package var expirationIntent: Int?
    /// Milliunits of `currency`; of seats their average.
    package var renewalPrice: Int64?
    package var currency: String?
    /// 0: not consented yet, 1: consented; nil without a price increase that asks for it.
    package var priceIncreaseStatus: Int?

    package init(
        signedDate: Timestamp,
        autoRenewStatus: Int? = nil,
        autoRenewProductId: ProductID? = nil,
        isInBillingRetryPeriod: Bool? = nil,
        gracePeriodExpiresDate: Timestamp? = nil
    ) {
        self.signedDate = signedDate
        self.autoRenewStatus = autoRenewStatus
        self.autoRenewProductId = autoRenewProductId
        self.isInBillingRetryPeriod = isInBillingRetryPeriod
        self.gracePeriodExpiresDate = gracePeriodExpiresDate
    }
}

extension RenewalFacts: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        signedDate = try json.member("signedDate", value?.signedDate)
        autoRenewStatus = try json.optional("autoRenewStatus", value?.autoRenewStatus)
        autoRenewProductId = try json.optional("autoRenewProductId", value?.autoRenewProductId)
        isInBillingRetryPeriod = try json.optional("isInBillingRetryPeriod", value?.isInBillingRetryPeriod)
        gracePeriodExpiresDate = try json.optional("gracePeriodExpiresDate", value?.gracePeriodExpiresDate)
        expirationIntent = try json.optional("expirationIntent", value?.expirationIntent)
        renewalPrice = try json.optional("renewalPrice", value?.renewalPrice)
        currency = try json.optional("currency", value?.currency)
        priceIncreaseStatus = try json.optional("priceIncreaseStatus", value?.priceIncreaseStatus)
        try json.close()
    }
}
