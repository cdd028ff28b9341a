/// The result of a proof, as reported to the phone.
package enum Verdict: String, Codable, Sendable, CaseIterable {
    /// In this buyer's ledger now.
    case granted
    /// Genuine and recorded, but no longer valid: refunded, expired, upgraded.
    case ended
    /// Stored durably, not decided yet.
    case pending
    /// Stored, with an alarm; an operator or a configuration change must decide.
    case parked
    /// Held by another buyer.
    case conflict
    /// Not a payment in this form; the phone still has the proof of a real transaction.
    case invalid

    /// Whether the phone may call `finishTransaction`: it is recorded, and resubmitting would bring no more.
    package var finish: Bool {
        switch self {
        case .granted, .ended, .conflict: true
        case .pending, .parked, .invalid: false
        }
    }

    /// Distance from final; a submission's overall verdict is the one with the largest.
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
