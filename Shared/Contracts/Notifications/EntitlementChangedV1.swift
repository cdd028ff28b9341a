/// The ledger's answer to a request: new entries, or the existing state.
///
/// - Sent by: entitlements
/// - Received by: notifications; and as webhook, the app's own server
package struct EntitlementChangedV1: Contract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.entitlement.changed.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var order: OrderTerms
    package var transaction: TransactionFacts
    /// Empty when nothing changed.
    package var entries: [LedgerEntry]
    package var verdict: Verdict
    /// Only when granted.
    package var grantedAt: Timestamp?
    /// Only when the verdict needs an explanation.
    package var reason: String?
    /// How often the purchase had moved to another login, as this ledger knows; nil if never.
    package var transfers: Int?
    /// Whose verdict this also is.
    package var submission: Submission?

    package init(
        buyerId: BuyerID,
        order: OrderTerms,
        transaction: TransactionFacts,
        entries: [LedgerEntry],
        verdict: Verdict,
        grantedAt: Timestamp? = nil,
        reason: String? = nil,
        transfers: Int? = nil,
        submission: Submission? = nil
    ) {
        bundleId = transaction.bundleId
        self.buyerId = buyerId
        environment = transaction.environment
        self.order = order
        self.transaction = transaction
        self.entries = entries
        self.verdict = verdict
        self.grantedAt = grantedAt
        self.reason = reason
        self.transfers = transfers
        self.submission = submission
    }
}
