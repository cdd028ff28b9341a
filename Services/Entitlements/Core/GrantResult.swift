package import Contracts

/// The effects of a grant: Notifications' verdict, and Orders' outcome.
package struct GrantResult: Hashable, Sendable {
    package var verdict: Verdict
    package var reason: String?
    package var outcome: GrantOutcome

    package init(_ grant: Grant) {
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
    package func mustBeSent(after lines: [Line], from before: State?, submission: Submission?) -> Bool {
        !lines.isEmpty || submission != nil || before.map { $0 != state } ?? false
    }
}
