// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension ReconciliationGetV1 {
    package init(reconciliationId: EventID, part: Part, after: [String]? = nil, _: Void = ()) {
        self.reconciliationId = reconciliationId
        self.part = part
        self.after = after
    }
}

extension ReconciliationStartV1 {
    package init(reconciliationId: EventID, isDryRun: Bool, steps: [Step], _: Void = ()) {
        self.reconciliationId = reconciliationId
        self.isDryRun = isDryRun
        self.steps = steps
    }
}

extension ReconciliationV1.Unusable {
    package init(
        notificationUUID: String?,
        transactionId: String?,
        problem: String,
        refused: Bool,
        _: Void = ()
    ) {
        self.notificationUUID = notificationUUID
        self.transactionId = transactionId
        self.problem = problem
        self.refused = refused
    }
}
