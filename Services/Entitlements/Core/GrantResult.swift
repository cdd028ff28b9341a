import Contracts

/// The effects of a grant: Notifications' verdict, and Orders' outcome.
struct GrantResult: Hashable, Sendable {
    var verdict: Verdict
    var reason: String?
    var outcome: GrantOutcome

    /// Of a purchase that has left for another login, or never was this one's, the verdict is that of a conflict.
    ///
    /// `endReason` says why a period of a subscription gives nothing any more; nil while it does, and of all else.
    init(_ grant: Grant, endReason: String? = nil) {
        switch grant.state {
        case .granted where grant.holderStatus.hasLeft: (verdict, outcome) = (.conflict, .granted)
        case .reversed where grant.holderStatus.hasLeft, .tombstone where grant.holderStatus.hasLeft:
            (verdict, outcome) = (.conflict, .reversed)
        case .granted where endReason != nil: (verdict, reason, outcome) = (.ended, endReason, .granted)
        case .granted: (verdict, outcome) = (.granted, .granted)
        case .reversed, .tombstone: (verdict, reason, outcome) = (.ended, "refunded", .reversed)
        case .void: (verdict, reason, outcome) = (.conflict, "reassigned", .reversed)
        case .parked(let parked): (verdict, reason, outcome) = (.parked, parked.rawValue, .parked)
        case .unseen: (verdict, outcome) = (.pending, .parked)
        }
    }
}

extension Grant {
    /// Whether Notifications needs an event: there are new lines or another state, or somebody waits for a verdict.
    func mustBeSent(after lines: [Line], from before: State?, submission: Submission?) -> Bool {
        !lines.isEmpty || submission != nil || before.map { $0 != state } ?? false
    }
}
