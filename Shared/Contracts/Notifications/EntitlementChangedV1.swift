/// The ledger has answered a request: with new entries, or with what it held already.
///
/// - Sent by: entitlements
/// - Received by: notifications; and as webhook, the app's own server
package struct EntitlementChangedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.entitlement.changed.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var order: OrderTerms
    package var transaction: TransactionFacts
    /// New lines of the ledger; none when nothing changed.
    package var entries: [LedgerEntry]
    package var verdict: Verdict
    /// When the buyer's ledger got the goods; only where they are granted.
    package var grantedAt: Timestamp?
    /// Why, where there is more to say than the verdict.
    package var reason: String?
    /// Whose verdict this is, too.
    package var submission: Submission?

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        order: OrderTerms,
        transaction: TransactionFacts,
        entries: [LedgerEntry],
        verdict: Verdict,
        grantedAt: Timestamp? = nil,
        reason: String? = nil,
        submission: Submission? = nil
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.order = order
        self.transaction = transaction
        self.entries = entries
        self.verdict = verdict
        self.grantedAt = grantedAt
        self.reason = reason
        self.submission = submission
    }
}
