/// What waits for somebody, of all partitions.
package enum DeskList: String, Codable, Sendable, CaseIterable {
    /// Genuine purchases that nobody holds.
    case orphans
    /// What was parked for an operator: proofs, notifications of Apple, grants.
    case parked
    /// Purchases that are held up: Apple's word is missing, or two buyers claim them.
    ///
    /// Compensations are among them that stand though their purchase is known and not their buyer's.
    case held
    /// Orders that are not paid, and paid ones of which the ledger has not answered.
    case open
    /// Webhooks that the app's server has not taken: the first of each buyer.
    case undelivered
    /// What one operator has proposed and another one may confirm.
    case proposals
}
