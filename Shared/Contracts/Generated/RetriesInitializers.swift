// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension GrantRetryV1 {
    package init(scope: RetryScope = RetryScope(), after: [String]? = nil, _: Void = ()) {
        self.scope = scope
        self.after = after
    }
}

extension ReceiptRetryV1 {
    package init(scope: RetryScope = RetryScope(), after: [String]? = nil, _: Void = ()) {
        self.scope = scope
        self.after = after
    }
}

extension RetryScope {
    package init(
        productId: ProductID? = nil,
        buyerId: BuyerID? = nil,
        receiptId: ReceiptID? = nil,
        _: Void = ()
    ) {
        self.productId = productId
        self.buyerId = buyerId
        self.receiptId = receiptId
    }
}
