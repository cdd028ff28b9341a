// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift

extension EntitlementChangedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        environment = try json.member("environment", value?.environment)
        order = try json.member("order", value?.order)
        transaction = try json.member("transaction", value?.transaction)
        entries = try json.member("entries", value?.entries)
        verdict = try json.member("verdict", value?.verdict)
        grantedAt = try json.optional("grantedAt", value?.grantedAt)
        reason = try json.optional("reason", value?.reason)
        transfers = try json.optional("transfers", value?.transfers)
        submission = try json.optional("submission", value?.submission)
        try json.close()
    }
}

extension ReceiptAcceptedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        submission = try json.member("submission", value?.submission)
        transactions = try json.member("transactions", value?.transactions)
        offset = try json.optional("offset", value?.offset)
        applicationVersion = try json.optional("applicationVersion", value?.applicationVersion)
        verdict = try json.optional("verdict", value?.verdict)
        reason = try json.optional("reason", value?.reason)
        try json.close()
    }
}

extension ReceiptVerdictV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        receiptId = try json.member("receiptId", value?.receiptId)
        verdict = try json.member("verdict", value?.verdict)
        reason = try json.optional("reason", value?.reason)
        applicationVersion = try json.optional("applicationVersion", value?.applicationVersion)
        transactions = try json.member("transactions", value?.transactions)
        try json.close()
    }
}

extension TransactionVerdict {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        transactionId = try json.member("transactionId", value?.transactionId)
        originalTransactionId = try json.member("originalTransactionId", value?.originalTransactionId)
        productId = try json.member("productId", value?.productId)
        quantity = try json.member("quantity", value?.quantity)
        environment = try json.member("environment", value?.environment)
        orderId = try json.optional("orderId", value?.orderId)
        verdict = try json.member("verdict", value?.verdict)
        grantedAt = try json.optional("grantedAt", value?.grantedAt)
        reason = try json.optional("reason", value?.reason)
        try json.close()
    }
}

extension VerdictWaitV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        receiptId = try json.member("receiptId", value?.receiptId)
        wait = try json.member("wait", value?.wait)
        restores = try json.optional("restores", value?.restores)
        buyerId = try json.optional("buyerId", value?.buyerId)
        try json.close()
    }
}
