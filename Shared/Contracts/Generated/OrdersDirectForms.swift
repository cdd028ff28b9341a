// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift

extension ClaimProposedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        attempt = try json.member("attempt", value?.attempt)
        candidate = try json.member("candidate", value?.candidate)
        transaction = try json.member("transaction", value?.transaction)
        submission = try json.optional("submission", value?.submission)
        try json.close()
    }
}

extension GrantRecordedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        orderId = try json.member("orderId", value?.orderId)
        purchaseId = try json.member("purchaseId", value?.purchaseId)
        outcome = try json.member("outcome", value?.outcome)
        try json.close()
    }
}

extension OrderGetV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        orderId = try json.member("orderId", value?.orderId)
        buyerId = try json.optional("buyerId", value?.buyerId)
        try json.close()
    }
}

extension OrderIssueV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        productId = try json.member("productId", value?.productId)
        quantity = try json.member("quantity", value?.quantity)
        environment = try json.member("environment", value?.environment)
        idempotencyKey = try json.member("idempotencyKey", value?.idempotencyKey)
        reference = try json.optional("reference", value?.reference)
        metadata = try json.optional("metadata", value?.metadata)
        onlyOne = try json.optional("onlyOne", value?.onlyOne)
        limit = try json.optional("limit", value?.limit)
        onSale = try json.optional("onSale", value?.onSale)
        issuedBy = try json.optional("issuedBy", value?.issuedBy)
        try json.close()
    }
}

extension OrderTerms {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        orderId = try json.member("orderId", value?.orderId)
        reference = try json.optional("reference", value?.reference)
        metadata = try json.optional("metadata", value?.metadata)
        issuedBy = try json.optional("issuedBy", value?.issuedBy)
        late = try json.optional("late", value?.late)
        try json.close()
    }
}

extension OrderV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        orderId = try json.member("orderId", value?.orderId)
        appAccountToken = try json.member("appAccountToken", value?.appAccountToken)
        state = try json.member("state", value?.state)
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        productId = try json.member("productId", value?.productId)
        quantity = try json.member("quantity", value?.quantity)
        environment = try json.member("environment", value?.environment)
        origin = try json.member("origin", value?.origin)
        reference = try json.optional("reference", value?.reference)
        metadata = try json.optional("metadata", value?.metadata)
        issuedBy = try json.optional("issuedBy", value?.issuedBy)
        createdAt = try json.member("createdAt", value?.createdAt)
        closeReason = try json.optional("closeReason", value?.closeReason)
        transactionId = try json.optional("transactionId", value?.transactionId)
        paidAt = try json.optional("paidAt", value?.paidAt)
        grantedAt = try json.optional("grantedAt", value?.grantedAt)
        late = try json.optional("late", value?.late)
        overLimit = try json.optional("overLimit", value?.overLimit)
        sandboxOf = try json.optional("sandboxOf", value?.sandboxOf)
        error = try json.optional("error", value?.error)
        try json.close()
    }
}
