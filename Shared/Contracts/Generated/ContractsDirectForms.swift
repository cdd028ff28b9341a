// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift

extension SignedTransaction {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transactionId = try json.member("transactionId", value?.transactionId)
        originalTransactionId = try json.member("originalTransactionId", value?.originalTransactionId)
        bundleId = try json.member("bundleId", value?.bundleId)
        productId = try json.member("productId", value?.productId)
        purchaseDate = try json.member("purchaseDate", value?.purchaseDate)
        quantity = try json.member("quantity", value?.quantity)
        type = try json.member("type", value?.type)
        environment = try json.member("environment", value?.environment)
        signedDate = try json.member("signedDate", value?.signedDate)
        originalPurchaseDate = try json.optional("originalPurchaseDate", value?.originalPurchaseDate)
        expiresDate = try json.optional("expiresDate", value?.expiresDate)
        webOrderLineItemId = try json.optional("webOrderLineItemId", value?.webOrderLineItemId)
        subscriptionGroupIdentifier = try json.optional(
            "subscriptionGroupIdentifier",
            value?.subscriptionGroupIdentifier
        )
        appAccountToken = try json.optional("appAccountToken", value?.appAccountToken)
        inAppOwnershipType = try json.optional("inAppOwnershipType", value?.inAppOwnershipType)
        transactionReason = try json.optional("transactionReason", value?.transactionReason)
        additionalTransactionReason = try json.optional(
            "additionalTransactionReason",
            value?.additionalTransactionReason
        )
        multiSeatInfo = try json.optional("multiSeatInfo", value?.multiSeatInfo)
        isUpgraded = try json.optional("isUpgraded", value?.isUpgraded)
        storefront = try json.optional("storefront", value?.storefront)
        storefrontId = try json.optional("storefrontId", value?.storefrontId)
        price = try json.optional("price", value?.price)
        currency = try json.optional("currency", value?.currency)
        appTransactionId = try json.optional("appTransactionId", value?.appTransactionId)
        revocationDate = try json.optional("revocationDate", value?.revocationDate)
        revocationReason = try json.optional("revocationReason", value?.revocationReason)
        revocationType = try json.optional("revocationType", value?.revocationType)
        revocationPercentage = try json.optional("revocationPercentage", value?.revocationPercentage)
        offerType = try json.optional("offerType", value?.offerType)
        offerIdentifier = try json.optional("offerIdentifier", value?.offerIdentifier)
        offerDiscountType = try json.optional("offerDiscountType", value?.offerDiscountType)
        offerPeriod = try json.optional("offerPeriod", value?.offerPeriod)
        billingPlanType = try json.optional("billingPlanType", value?.billingPlanType)
        commitmentInfo = try json.optional("commitmentInfo", value?.commitmentInfo)
        advancedCommerceInfo = try json.optional("advancedCommerceInfo", value?.advancedCommerceInfo)
        previousOriginalTransactionId = try json.optional(
            "previousOriginalTransactionId",
            value?.previousOriginalTransactionId
        )
        deviceVerification = try json.optional("deviceVerification", value?.deviceVerification)
        deviceVerificationNonce = try json.optional("deviceVerificationNonce", value?.deviceVerificationNonce)
        try json.close()
    }
}

extension Submission {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        receiptId = try json.member("receiptId", value?.receiptId)
        submitter = try json.member("submitter", value?.submitter)
        orderId = try json.optional("orderId", value?.orderId)
        transactionId = try json.optional("transactionId", value?.transactionId)
        isOnly = try json.optional("isOnly", value?.isOnly)
        intent = try json.optional("intent", value?.intent)
        isForAnother = try json.optional("isForAnother", value?.isForAnother)
        try json.close()
    }
}

extension TransactionFacts {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        environment = try json.member("environment", value?.environment)
        bundleId = try json.member("bundleId", value?.bundleId)
        transactionId = try json.member("transactionId", value?.transactionId)
        originalTransactionId = try json.member("originalTransactionId", value?.originalTransactionId)
        purchaseId = try json.member("purchaseId", value?.purchaseId)
        productId = try json.member("productId", value?.productId)
        quantity = try json.member("quantity", value?.quantity)
        type = try json.member("type", value?.type)
        purchaseDate = try json.member("purchaseDate", value?.purchaseDate)
        signedDate = try json.member("signedDate", value?.signedDate)
        originalPurchaseDate = try json.optional("originalPurchaseDate", value?.originalPurchaseDate)
        expiresDate = try json.optional("expiresDate", value?.expiresDate)
        revocationDate = try json.optional("revocationDate", value?.revocationDate)
        revocationReason = try json.optional("revocationReason", value?.revocationReason)
        revocationType = try json.optional("revocationType", value?.revocationType)
        revocationPercentage = try json.optional("revocationPercentage", value?.revocationPercentage)
        isUpgraded = try json.optional("isUpgraded", value?.isUpgraded)
        inAppOwnershipType = try json.optional("inAppOwnershipType", value?.inAppOwnershipType)
        webOrderLineItemId = try json.optional("webOrderLineItemId", value?.webOrderLineItemId)
        appAccountToken = try json.optional("appAccountToken", value?.appAccountToken)
        price = try json.optional("price", value?.price)
        seatsPrice = try json.optional("seatsPrice", value?.seatsPrice)
        revokedSeatQuantity = try json.optional("revokedSeatQuantity", value?.revokedSeatQuantity)
        currency = try json.optional("currency", value?.currency)
        storefront = try json.optional("storefront", value?.storefront)
        transactionReason = try json.optional("transactionReason", value?.transactionReason)
        additionalTransactionReason = try json.optional(
            "additionalTransactionReason",
            value?.additionalTransactionReason
        )
        subscriptionGroupIdentifier = try json.optional(
            "subscriptionGroupIdentifier",
            value?.subscriptionGroupIdentifier
        )
        offerType = try json.optional("offerType", value?.offerType)
        offerIdentifier = try json.optional("offerIdentifier", value?.offerIdentifier)
        offerDiscountType = try json.optional("offerDiscountType", value?.offerDiscountType)
        billingPlanType = try json.optional("billingPlanType", value?.billingPlanType)
        try json.close()
    }
}

extension Transferred {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        count = try json.member("count", value?.count)
        payerId = try json.member("payerId", value?.payerId)
        try json.close()
    }
}
