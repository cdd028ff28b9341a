// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension OrderLogV1 {
    package init(
        bundleId: BundleID,
        orderId: OrderID,
        entries: [StepLogEntry],
        buyerId: BuyerID? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.orderId = orderId
        self.entries = entries
        self.buyerId = buyerId
    }
}

extension OrderReportV1 {
    package init(
        bundleId: BundleID,
        orderId: OrderID,
        outcome: Outcome,
        error: ReportedError? = nil,
        buyerId: BuyerID? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.orderId = orderId
        self.outcome = outcome
        self.error = error
        self.buyerId = buyerId
    }
}

extension ReportedError {
    package init(domain: String?, code: String?, _: Void = ()) {
        self.domain = domain
        self.code = code
    }
}

extension StepLogEntry {
    package init(at: Timestamp, step: Step, code: String? = nil, domain: String? = nil, _: Void = ()) {
        self.at = at
        self.step = step
        self.code = code
        self.domain = domain
    }
}
