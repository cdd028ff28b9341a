import Contracts

/// The effects of a grant: Notifications' verdict, and Orders' outcome.
struct GrantResult: Hashable, Sendable {
    var verdict: Verdict
    var reason: String?
    var outcome: GrantOutcome

    init(_ grant: Grant) {
        switch grant.state {
        case .granted: (verdict, outcome) = (.granted, .granted)
        case .reversed, .tombstone: (verdict, reason, outcome) = (.ended, "refunded", .reversed)
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
