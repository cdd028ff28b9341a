// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension Submission {
    package init(
        receiptId: ReceiptID,
        submitter: BuyerID,
        orderId: String? = nil,
        transactionId: TransactionID? = nil,
        isOnly: Bool? = nil,
        intent: Intent? = nil,
        isForAnother: Bool? = nil,
        _: Void = ()
    ) {
        self.receiptId = receiptId
        self.submitter = submitter
        self.orderId = orderId
        self.transactionId = transactionId
        self.isOnly = isOnly
        self.intent = intent
        self.isForAnother = isForAnother
    }
}

extension Transferred {
    package init(count: Int, payerId: BuyerID, _: Void = ()) {
        self.count = count
        self.payerId = payerId
    }
}
