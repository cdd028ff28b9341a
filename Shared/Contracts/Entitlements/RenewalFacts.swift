/// What Apple said last about the renewal of a subscription.
///
/// Names and meanings are those of StoreKit's `JWSRenewalInfoDecodedPayload`.
package struct RenewalFacts: Codable, Hashable, Sendable {
    /// Time of Apple's signature; of two statements about one subscription the later one wins.
    package var signedDate: Timestamp
    /// 0: ends with its period, 1: renews.
    package var autoRenewStatus: Int?
    package var autoRenewProductId: ProductID?
    package var isInBillingRetryPeriod: Bool?
    package var gracePeriodExpiresDate: Timestamp?

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
        try json.close()
    }
}
