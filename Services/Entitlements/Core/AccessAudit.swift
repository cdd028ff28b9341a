import Contracts

/// No access exists without a fact that gives it.
///
/// Tested by: `LedgerAuditTests`.
///
/// | what is kept | must be |
/// |---|---|
/// | the access by a subscription | what follows from its periods and its renewal |
/// | a period of it | what the grant of its purchase says |
enum AccessAudit {
    /// How many things kept of one subscription are not as they must be.
    ///
    /// `granted` are the periods as the buyer's grants have them, by purchase.
    static func wrong(
        _ access: SubscriptionAccess?,
        _ chain: SubscriptionChain,
        granted: [PurchaseID: SubscriptionPeriod]
    ) -> Int {
        let strange = chain.periods.count { granted[$0.purchaseId] != $0 }
        return strange + (access == chain.folded() ? 0 : 1)
    }
}
