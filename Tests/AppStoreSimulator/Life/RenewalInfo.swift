import Contracts

/// What Apple signs about a subscription's next renewal: `JWSRenewalInfoDecodedPayload`.
struct RenewalInfo: Encodable {
    let originalTransactionId: String
    let productId: String
    let autoRenewProductId: String
    let autoRenewStatus: Int
    let expirationIntent: Int?
    let isInBillingRetryPeriod: Bool
    let gracePeriodExpiresDate: Int64?
    let priceIncreaseStatus: Int?
    let offerType: Int?
    let offerIdentifier: String?
    let offerDiscountType: String?
    let offerPeriod: String?
    let signedDate: Int64
    let environment: String
    let recentSubscriptionStartDate: Int64
    let renewalDate: Int64
    let currency: String
    let renewalPrice: Int64
    let appAccountToken: String?
    let appTransactionId: String?

    init(_ subscription: Subscription, latest: SignedTransaction, signedAt now: Timestamp) {
        originalTransactionId = subscription.originalTransactionId
        productId = latest.productId
        autoRenewProductId = subscription.renewalProductId
        autoRenewStatus = subscription.isAutoRenewing ? 1 : 0
        expirationIntent = subscription.expirationIntent?.rawValue
        isInBillingRetryPeriod = [.billingRetry, .gracePeriod].contains(subscription.status)
        gracePeriodExpiresDate = subscription.gracePeriodExpiresDate
        priceIncreaseStatus = subscription.priceIncreaseStatus
        offerType = latest.offerType
        offerIdentifier = latest.offerIdentifier
        offerDiscountType = latest.offerDiscountType
        offerPeriod = latest.offerPeriod
        signedDate = now.milliseconds
        environment = subscription.environment
        recentSubscriptionStartDate = subscription.startDate
        renewalDate = subscription.renewalDate
        currency = subscription.currency
        renewalPrice = subscription.renewalPrice
        appAccountToken = latest.appAccountToken
        appTransactionId = latest.appTransactionId
    }
}
