/// The ledger's state after a request.
package enum GrantOutcome: String, Codable, Sendable, CaseIterable {
    case granted
    /// The goods were taken back, or never granted because the refund came first.
    case reversed
    /// Waits for the operator: the catalog does not say what to grant.
    case parked
}
