/// The ledger's answer to a request: new entries, or the existing state.
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

extension EntitlementChangedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        environment = try json.member("environment", value?.environment)
        order = try json.member("order", value?.order)
        transaction = try json.member("transaction", value?.transaction)
        entries = try json.member("entries", value?.entries)
        verdict = try json.member("verdict", value?.verdict)
        grantedAt = try json.optional("grantedAt", value?.grantedAt)
        reason = try json.optional("reason", value?.reason)
        transfers = try json.optional("transfers", value?.transfers)
        submission = try json.optional("submission", value?.submission)
        try json.close()
    }
}
