/// What became of a proof, as the phone is told.
package enum Verdict: String, Codable, Sendable, CaseIterable {
    /// In the ledger now.
    case granted
    /// In the ledger since earlier, to this buyer.
    case alreadyGranted
    /// Genuine and recorded, but nothing to hold now: refunded, expired, upgraded away.
    case ended
    /// Kept durably, not decided yet.
    case pending
    /// Kept and alarmed; an operator or a configuration change must decide.
    case parked
    /// Held by another buyer.
    case conflict
    /// Proven not to be a payment.
    case invalid

    /// Whether the phone may call `finishTransaction`: the verdict will not change to the buyer's favour.
    package var finish: Bool {
        switch self {
        case .granted, .alreadyGranted, .ended, .conflict, .invalid: true
        case .pending, .parked: false
        }
    }

    /// How far from final a verdict is; the outer verdict of a submission is the one with the largest.
    package var openness: Int {
        switch self {
        case .pending: 6
        case .parked: 5
        case .invalid: 4
        case .conflict: 3
        case .ended: 2
        case .granted: 1
        case .alreadyGranted: 0
        }
    }
}
