// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift

extension EntitlementsGetV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        environment = try json.member("environment", value?.environment)
        try json.close()
    }
}

extension EntitlementsV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        buyerId = try json.member("buyerId", value?.buyerId)
        environment = try json.member("environment", value?.environment)
        balances = try json.member("balances", value?.balances)
        entitlements = try json.member("entitlements", value?.entitlements)
        try json.close()
    }
}

extension EntitlementsV1.Possession {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        entitlement = try json.member("entitlement", value?.entitlement)
        productId = try json.member("productId", value?.productId)
        since = try json.member("since", value?.since)
        expires = try json.optional("expires", value?.expires)
        try json.close()
    }
}

extension LedgerEntry {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        entryId = try json.member("entryId", value?.entryId)
        kind = try json.member("kind", value?.kind)
        entitlement = try json.member("entitlement", value?.entitlement)
        amount = try json.member("amount", value?.amount)
        from = try json.member("from", value?.from)
        to = try json.member("to", value?.to)
        undoes = try json.optional("undoes", value?.undoes)
        transactionId = try json.optional("transactionId", value?.transactionId)
        purchaseId = try json.optional("purchaseId", value?.purchaseId)
        productId = try json.optional("productId", value?.productId)
        orderId = try json.optional("orderId", value?.orderId)
        price = try json.optional("price", value?.price)
        seats = try json.optional("seats", value?.seats)
        seatsPrice = try json.optional("seatsPrice", value?.seatsPrice)
        currency = try json.optional("currency", value?.currency)
        storefront = try json.optional("storefront", value?.storefront)
        catalogVersion = try json.optional("catalogVersion", value?.catalogVersion)
        reference = try json.optional("reference", value?.reference)
        metadata = try json.optional("metadata", value?.metadata)
        issuedBy = try json.optional("issuedBy", value?.issuedBy)
        environment = try json.member("environment", value?.environment)
        time = try json.member("time", value?.time)
        try json.close()
    }
}

extension PurchaseReportedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        buyerId = try json.member("buyerId", value?.buyerId)
        order = try json.member("order", value?.order)
        transaction = try json.member("transaction", value?.transaction)
        submission = try json.optional("submission", value?.submission)
        transfers = try json.optional("transfers", value?.transfers)
        evidence = try json.optional("evidence", value?.evidence)
        try json.close()
    }
}

extension RenewalFacts {
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

extension SubscriptionsGetV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        environment = try json.member("environment", value?.environment)
        try json.close()
    }
}

extension SubscriptionsV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        subscriptions = try json.member("subscriptions", value?.subscriptions)
        try json.close()
    }
}

extension SubscriptionsV1.Subscription {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        originalTransactionId = try json.member("originalTransactionId", value?.originalTransactionId)
        groupId = try json.optional("groupId", value?.groupId)
        productId = try json.member("productId", value?.productId)
        state = try json.member("state", value?.state)
        accessUntil = try json.optional("accessUntil", value?.accessUntil)
        expires = try json.optional("expires", value?.expires)
        autoRenew = try json.optional("autoRenew", value?.autoRenew)
        autoRenewProductId = try json.optional("autoRenewProductId", value?.autoRenewProductId)
        expirationIntent = try json.optional("expirationIntent", value?.expirationIntent)
        renewalPrice = try json.optional("renewalPrice", value?.renewalPrice)
        currency = try json.optional("currency", value?.currency)
        priceIncreaseStatus = try json.optional("priceIncreaseStatus", value?.priceIncreaseStatus)
        ownership = try json.optional("ownership", value?.ownership)
        offer = try json.optional("offer", value?.offer)
        seats = try json.optional("seats", value?.seats)
        transactionId = try json.member("transactionId", value?.transactionId)
        environment = try json.member("environment", value?.environment)
        try json.close()
    }
}

extension SubscriptionsV1.Subscription.Offer {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        type = try json.member("type", value?.type)
        identifier = try json.optional("identifier", value?.identifier)
        discountType = try json.optional("discountType", value?.discountType)
        try json.close()
    }
}

extension SubscriptionsV1.Subscription.Seats {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        quantity = try json.member("quantity", value?.quantity)
        revoked = try json.optional("revoked", value?.revoked)
        price = try json.optional("price", value?.price)
        currency = try json.optional("currency", value?.currency)
        try json.close()
    }
}
