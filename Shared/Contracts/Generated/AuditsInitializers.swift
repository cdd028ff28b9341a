// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension LedgerAuditPage {
    package init(count: Int, differences: [Difference], next: [String]? = nil, _: Void = ()) {
        self.count = count
        self.differences = differences
        self.next = next
    }
}

extension LedgerAuditV1 {
    package init(after: [String]? = nil, upTo: [String]? = nil, _: Void = ()) {
        self.after = after
        self.upTo = upTo
    }
}

extension NamesAuditPage {
    package init(rows: [Row], claims: [Claim], next: String? = nil, _: Void = ()) {
        self.rows = rows
        self.claims = claims
        self.next = next
    }
}

extension NamesAuditPage.Row {
    package init(
        name: String,
        environment: Environment,
        bundleId: BundleID,
        homeId: TransactionID,
        _: Void = ()
    ) {
        self.name = name
        self.environment = environment
        self.bundleId = bundleId
        self.homeId = homeId
    }
}

extension NamesAuditPage.Claim {
    package init(
        name: String,
        environment: Environment,
        bundleId: BundleID,
        originalTransactionId: TransactionID,
        purchaseId: PurchaseID,
        place: NamesAuditPage.Place,
        isHeld: Bool,
        ageMs: Int64? = nil,
        _: Void = ()
    ) {
        self.name = name
        self.environment = environment
        self.bundleId = bundleId
        self.originalTransactionId = originalTransactionId
        self.purchaseId = purchaseId
        self.place = place
        self.isHeld = isHeld
        self.ageMs = ageMs
    }
}

extension PurchasesAuditPage {
    package init(
        count: Int,
        owners: Int64,
        outcomes: Int64,
        purchases: [Purchase]? = nil,
        outstanding: [Outstanding] = [],
        orphans: Int = 0,
        differences: [LedgerAuditPage.Difference] = [],
        next: PurchaseID? = nil,
        _: Void = ()
    ) {
        self.count = count
        self.owners = owners
        self.outcomes = outcomes
        self.purchases = purchases
        self.outstanding = outstanding
        self.orphans = orphans
        self.differences = differences
        self.next = next
    }
}
