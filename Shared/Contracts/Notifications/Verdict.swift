/// What became of a proof, as the phone is told.
package enum Verdict: String, Codable, Sendable, CaseIterable {
    /// In this buyer's ledger now.
    case granted
    /// Genuine and recorded, but nothing to hold now: refunded, expired, upgraded away.
    case ended
    /// Kept durably, not decided yet.
    case pending
    /// Kept and alarmed; an operator or a configuration change must decide.
    case parked
    /// Held by another buyer.
    case conflict
    /// No payment as it stands; who has a real transaction still has its proof.
    case invalid

    /// Whether the phone may call `finishTransaction`: the transaction is recorded, and nothing that this buyer could
    /// hand in again would bring more.
    package var finish: Bool {
        switch self {
        case .granted, .ended, .conflict: true
        case .pending, .parked, .invalid: false
        }
    }

    /// How far from final a verdict is; the outer verdict of a submission is the one with the largest.
    package var openness: Int {
        switch self {
        case .pending: 5
        case .parked: 4
        case .invalid: 3
        case .conflict: 2
        case .ended: 1
        case .granted: 0
        }
    }
}
