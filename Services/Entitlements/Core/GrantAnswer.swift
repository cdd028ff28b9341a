package import Contracts

/// What the others are told after a request: Notifications a verdict, Orders an outcome.
package struct GrantAnswer: Hashable, Sendable {
    package var verdict: Verdict
    package var reason: String?
    package var outcome: GrantOutcome
    /// Whether the ledger has new lines, or what was told before does not hold any more.
    package var isNews: Bool

    /// The answer of a grant that has just written `lines`, and was in the state `before`; nil where that is not asked.
    package init(_ grant: Grant, after lines: [Grant.Line], from before: Grant.State? = nil) {
        let isElse = before.map { $0 != grant.state } ?? false
        isNews = !lines.isEmpty || isElse
        switch grant.state {
        case .granted:
            verdict = .granted
            outcome = .granted
        case .reversed, .tombstone:
            verdict = .ended
            reason = "refunded"
            outcome = .reversed
        case .parked(let parked):
            verdict = .parked
            reason = parked.rawValue
            outcome = .parked
        case .unseen:
            verdict = .pending
            outcome = .parked
        }
    }

    /// Whether Notifications must hear it: there is something new, or somebody waits for a verdict.
    package func concernsNotifications(submission: Submission?) -> Bool { isNews || submission != nil }
}
