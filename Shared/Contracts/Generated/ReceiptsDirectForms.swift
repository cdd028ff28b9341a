// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift

extension ClaimHeldV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        attempt = try json.member("attempt", value?.attempt)
        environment = try json.member("environment", value?.environment)
        bundleId = try json.member("bundleId", value?.bundleId)
        originalTransactionId = try json.member("originalTransactionId", value?.originalTransactionId)
        purchaseId = try json.member("purchaseId", value?.purchaseId)
        buyerId = try json.member("buyerId", value?.buyerId)
        orderId = try json.member("orderId", value?.orderId)
        evidence = try json.member("evidence", value?.evidence)
        transferred = try json.optional("transferred", value?.transferred)
        try json.close()
    }
}

extension EvidenceCompletedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        environment = try json.member("environment", value?.environment)
        bundleId = try json.member("bundleId", value?.bundleId)
        originalTransactionId = try json.member("originalTransactionId", value?.originalTransactionId)
        transactionId = try json.member("transactionId", value?.transactionId)
        purchaseId = try json.member("purchaseId", value?.purchaseId)
        mayKnowMore = try json.optional("mayKnowMore", value?.mayKnowMore)
        aliases = try json.optional("aliases", value?.aliases)
        try json.close()
    }
}

extension ReceiptFinishedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        receiptId = try json.member("receiptId", value?.receiptId)
        try json.close()
    }
}

extension ReceiptSubmitV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        orderId = try json.optional("orderId", value?.orderId)
        kind = try json.member("kind", value?.kind)
        proof = try json.member("proof", value?.proof)
        deviceId = try json.optional("deviceId", value?.deviceId)
        originalTransactionId = try json.optional("originalTransactionId", value?.originalTransactionId)
        intent = try json.optional("intent", value?.intent)
        purchasedBy = try json.optional("purchasedBy", value?.purchasedBy)
        try json.close()
    }
}

extension TransactionVerifiedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transaction = try json.member("transaction", value?.transaction)
        submission = try json.optional("submission", value?.submission)
        renewal = try json.optional("renewal", value?.renewal)
        status = try json.optional("status", value?.status)
        consumptionAskedAt = try json.optional("consumptionAskedAt", value?.consumptionAskedAt)
        inquiry = try json.optional("inquiry", value?.inquiry)
        aliases = try json.optional("aliases", value?.aliases)
        try json.close()
    }
}
