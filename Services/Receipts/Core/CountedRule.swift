/// A rule that is counted each time it decides.
enum CountedRule: String, CaseIterable, Sendable {
    /// Another login than the holder handed in a proof, which is a conflict.
    case claimConflict = "claim_conflicts"
}
