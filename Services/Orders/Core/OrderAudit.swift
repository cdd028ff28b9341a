import Contracts

/// What an audit says of orders by themselves.
enum OrderAudit {
    /// Named of one page; others are named once these are granted.
    static let maximumOutstanding = 100

    /// The purchase of a paid order, if the ledger's outcome has not come for too long.
    static func outstanding(
        _ purchase: PurchasesAuditPage.Purchase,
        paidAt: Timestamp,
        at now: Timestamp
    ) -> PurchasesAuditPage.Outstanding? {
        let age = now.milliseconds - paidAt.milliseconds
        guard purchase.outcome == nil, age > PurchasesAuditPage.patience else { return nil }
        return PurchasesAuditPage.Outstanding(
            purchase.purchaseId,
            purchase.environment,
            of: purchase.bundleId,
            for: purchase.orderId,
            ageMs: age
        )
    }
}

extension Fulfilment {
    /// The ledger's outcome; nil as long as it has not come.
    var outcome: GrantOutcome? {
        switch self {
        case .none: nil
        case .granted: .granted
        case .reversed: .reversed
        case .parked: .parked
        }
    }
}
