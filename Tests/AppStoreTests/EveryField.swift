/// Payloads that hold every field that Apple documents.
enum EveryField {
    static let transaction = #"""
        {"transactionId":"2","originalTransactionId":"1","previousOriginalTransactionId":"0",
        "webOrderLineItemId":"3","appTransactionId":"7","bundleId":"com.example.game","productId":"pro.month",
        "subscriptionGroupIdentifier":"5","type":"Auto-Renewable Subscription","environment":"Production",
        "signedDate":1767225600000,"purchaseDate":1767225600001,"originalPurchaseDate":1767225600002,
        "expiresDate":1767225600003,"quantity":2,"appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138",
        "inAppOwnershipType":"ASSIGNED","transactionReason":"RENEWAL",
        "additionalTransactionReason":"SEAT_ADDITION","multiSeatInfo":{"invitationManagement":"APPLE",
        "priceTiers":[{"price":10000,"quantity":3}],"revokedSeatQuantity":1},"isUpgraded":true,"storefront":"USA",
        "storefrontId":"143441","price":9990000000000,"currency":"USD","revocationDate":1767225600004,
        "revocationReason":1,"revocationType":"REFUND_PRORATED","revocationPercentage":50000,"offerType":4,
        "offerIdentifier":"back","offerDiscountType":"ONE_TIME","offerPeriod":"P1M",
        "billingPlanType":"MONTHLY","commitmentInfo":{"billingPeriodNumber":3,
        "commitmentExpiresDate":1767225600005,"commitmentPrice":119880,"totalBillingPeriods":12},
        "advancedCommerceInfo":{"descriptors":{"description":"a plan","displayName":"Plan"},
        "estimatedTax":1500,"items":[{"SKU":"sku","description":"an item","displayName":"Item",
        "offer":{"period":"P1W","periodCount":2,"price":1,"reason":"ACQUISITION"},"price":9990,"refunds":[{"refundAmount":5000,
        "refundDate":1767225600006,"refundReason":"LEGAL","refundType":"PRORATED"}],
        "revocationDate":1767225600007}],"period":"P1M","requestReferenceId":"r","taxCode":"C",
        "taxExclusivePrice":8490,"taxRate":"0.15"},"deviceVerification":"v","deviceVerificationNonce":"n"}
        """#

    static let renewalInfo = #"""
        {"originalTransactionId":"1","appTransactionId":"7","productId":"pro.month",
        "environment":"Production","signedDate":1767225600000,
        "appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","autoRenewProductId":"pro.year",
        "autoRenewStatus":1,"renewalDate":1767225600001,"renewalPrice":9990,"currency":"USD",
        "renewalBillingPlanType":"MONTHLY","recentSubscriptionStartDate":1767225600002,"expirationIntent":3,
        "isInBillingRetryPeriod":false,"gracePeriodExpiresDate":1767225600003,"priceIncreaseStatus":1,
        "offerType":2,"offerIdentifier":"o","offerDiscountType":"PAY_AS_YOU_GO","offerPeriod":"P1Y",
        "eligibleWinBackOfferIds":["a","b"],"commitmentInfo":{"commitmentAutoRenewProductId":"pro.year",
        "commitmentAutoRenewStatus":0,"commitmentRenewalBillingPlanType":"BILLED_UPFRONT",
        "commitmentRenewalDate":1767225600004,"commitmentRenewalPrice":9990},
        "advancedCommerceInfo":{"consistencyToken":"t","descriptors":{"description":"a plan",
        "displayName":"Plan"},"items":[{"SKU":"sku","description":"an item","displayName":"Item",
        "offer":{"reason":"WIN_BACK"},"price":9990,"priceIncreaseInfo":{"dependentSKUs":["x","y"],
        "price":12990,"status":"PENDING"}}],"period":"P1M","requestReferenceId":"r","taxCode":"C"},
        "deviceVerification":"v","deviceVerificationNonce":"n"}
        """#

    static let appTransaction = #"""
        {"receiptType":"Production","appAppleId":1234567890,"bundleId":"com.example.game",
        "applicationVersion":"2","versionExternalIdentifier":512,"receiptCreationDate":1767225600000,
        "originalPurchaseDate":1767225600001,"originalApplicationVersion":"1","preorderDate":1767225600002,
        "appTransactionId":"7","originalPlatform":"visionOS","deviceVerification":"v",
        "deviceVerificationNonce":"n"}
        """#

    /// One of each part, which no genuine notification has side by side.
    static let notification = #"""
        {"notificationType":"CONSUMPTION_REQUEST","subtype":"NONE","notificationUUID":"u","version":"2.0",
        "signedDate":1767225600000,"data":{"environment":"Production","appAppleId":1234567890,
        "bundleId":"com.example.game","bundleVersion":"2","signedTransactionInfo":"a.b.c",
        "signedRenewalInfo":"d.e.f","status":4,"consumptionRequestReason":"LEGAL"},
        "summary":{"environment":"Production","appAppleId":1234567890,"bundleId":"com.example.game",
        "productId":"pro.month","requestIdentifier":"r","storefrontCountryCodes":["CAN","USA"],
        "succeededCount":5,"failedCount":2},
        "externalPurchaseToken":{"externalPurchaseId":"SANDBOX_e","tokenCreationDate":1767225600001,
        "tokenExpirationDate":1767225600002,"tokenType":"SERVICES","appAppleId":1234567890,
        "bundleId":"com.example.game"},
        "appData":{"appAppleId":1234567890,"bundleId":"com.example.game","environment":"Production",
        "signedAppTransactionInfo":"g.h.i"}}
        """#
}
