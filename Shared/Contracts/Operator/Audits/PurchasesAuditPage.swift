/// What a partition knows of a range of purchases.
///
/// Two services that say the same of the same purchases have the same sums; see `Domain/PurchaseSums.swift`.
package struct PurchasesAuditPage: Codable, Hashable, Sendable {
    /// A purchase that somebody holds: a held claim, a paid order or a grant.
    package struct Purchase: Codable, Hashable, Sendable {
        package var purchaseId: PurchaseID
        package var environment: Environment
        package var bundleId: BundleID
        package var buyerId: BuyerID
        package var orderId: OrderID
        /// What the ledger has made of it; nil of a claim, and of an order that has not heard of it yet.
        package var outcome: GrantOutcome?

        package init(
            _ purchaseId: PurchaseID,
            _ environment: Environment,
            of bundleId: BundleID,
            by buyerId: BuyerID,
            for orderId: OrderID,
            _ outcome: GrantOutcome? = nil
        ) {
            self.purchaseId = purchaseId
            self.environment = environment
            self.bundleId = bundleId
            self.buyerId = buyerId
            self.orderId = orderId
            self.outcome = outcome
        }
    }

    /// A claim that is proposed, or an order that is paid, for longer than `patience`.
    package struct Outstanding: Codable, Hashable, Sendable {
        package var purchaseId: PurchaseID
        package var environment: Environment
        package var bundleId: BundleID
        package var orderId: OrderID?
        package var ageMs: Int64

        package init(
            _ purchaseId: PurchaseID,
            _ environment: Environment,
            of bundleId: BundleID,
            for orderId: OrderID?,
            ageMs: Int64
        ) {
            self.purchaseId = purchaseId
            self.environment = environment
            self.bundleId = bundleId
            self.orderId = orderId
            self.ageMs = ageMs
        }
    }

    /// How long anything may be outstanding, ms.
    package static let patience: Int64 = 60_000

    package var count: Int
    /// The sum of whose each purchase is, and for which order.
    package var owners: Int64
    /// The sum of what the ledger has made of each.
    package var outcomes: Int64
    /// Each purchase, if the request asked for them.
    package var purchases: [Purchase]? = nil
    package var outstanding: [Outstanding] = []
    /// Claims that no candidate could be held for.
    package var orphans: Int = 0
    /// What does not hold within the partition.
    package var differences: [LedgerAuditPage.Difference] = []
    /// The next page's `after`; absent on the last page.
    package var next: PurchaseID? = nil
}
