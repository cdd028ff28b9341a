import Contracts

extension Subscription {
    /// What Apple signs about its next renewal: `JWSRenewalInfoDecodedPayload`.
    func renewalInfo(latest: SignedTransaction, signedAt now: Timestamp) -> JSONValue {
        .members([
            "originalTransactionId": .string(originalTransactionId),
            "productId": .string(latest.productId),
            "autoRenewProductId": .string(renewalProductId),
            "autoRenewStatus": .integer(isAutoRenewing ? 1 : 0),
            "expirationIntent": .whole(expirationIntent?.rawValue),
            "isInBillingRetryPeriod": .bool([.billingRetry, .gracePeriod].contains(status)),
            "gracePeriodExpiresDate": .whole(gracePeriodExpiresDate),
            "priceIncreaseStatus": .whole(priceIncreaseStatus),
            "offerType": .whole(latest.offerType),
            "offerIdentifier": .text(latest.offerIdentifier),
            "offerDiscountType": .text(latest.offerDiscountType),
            "offerPeriod": .text(latest.offerPeriod),
            "signedDate": .integer(now.milliseconds),
            "environment": .string(environment),
            "recentSubscriptionStartDate": .integer(startDate),
            "renewalDate": .integer(renewalDate),
            "currency": .string(currency),
            "renewalPrice": .integer(renewalPrice),
            "appAccountToken": .text(latest.appAccountToken),
            "appTransactionId": .text(latest.appTransactionId),
            "renewalBillingPlanType": .text(latest.billingPlanType),
            "commitmentInfo": commitmentInfo,
        ])
    }

    /// How its commitment will renew; nil outside of one.
    private var commitmentInfo: JSONValue? {
        isCommitmentRenewing.map { isRenewing in
            .object([
                "commitmentAutoRenewProductId": .string(renewalProductId),
                "commitmentAutoRenewStatus": .integer(isRenewing ? 1 : 0),
                "commitmentRenewalBillingPlanType": .string(Commitment.plan),
                "commitmentRenewalPrice": .integer(renewalPrice),
            ])
        }
    }
}

extension Sale {
    /// What Apple signs about the download of the app on the buyer's account; the sandbox knows no version ids.
    func appTransaction(appAppleId: Int64, signedAt now: Timestamp) -> JSONValue {
        let isProduction = transaction.environment == StoreEnvironment.production.rawValue
        return .members([
            "receiptType": .string(transaction.environment),
            "appAppleId": isProduction ? .integer(appAppleId) : nil,
            "bundleId": .string(transaction.bundleId),
            "applicationVersion": .string("1.0"),
            "versionExternalIdentifier": isProduction ? .integer(850_000_001) : nil,
            "receiptCreationDate": .integer(now.milliseconds),
            "originalPurchaseDate": .integer(transaction.originalPurchaseDate ?? transaction.purchaseDate),
            "originalApplicationVersion": .string("1.0"),
            "originalPlatform": .string("iOS"),
            "appTransactionId": .string(account),
        ])
    }
}
