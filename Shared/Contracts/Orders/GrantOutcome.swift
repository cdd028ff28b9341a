/// How the ledger stands after a request.
package enum GrantOutcome: String, Codable, Sendable, CaseIterable {
    /// The goods are with the buyer.
    case granted
    /// The goods went back, or never came because the refund was there first.
    case reversed
    /// The ledger waits for an operator: the catalog does not say what to grant.
    case parked
}
