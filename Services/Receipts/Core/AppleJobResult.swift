package import Contracts
import Domain

/// What came of a job with Apple.
package struct AppleJobResult: Codable, Equatable, Sendable {
    /// The kinds of outcome, each with one meaning.
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// Apple answered.
        case found
        /// Apple knows the transaction, and the proof describes it differently.
        case contradicted
        /// Apple does not know it, or not yet.
        case unknown
        /// The receipt is longer than `verifyReceipt` takes.
        case tooLarge
        /// Apple refuses for good; `failure` says why.
        case refused
        /// Apple refuses, as it also does for a while when nothing is wrong with a receipt.
        case doubted
        /// No answer: Apple is down, slow, or limits the rate.
        case unavailable
        /// Apple does not take our key or secret, or its answer cannot be understood.
        case unauthorized
    }

    /// The pause after attempts without an answer: short, as Apple may be back.
    private static let backoff = Backoff(first: 1_000, longest: 10_000)

    package var outcome: Outcome
    /// When to ask again, where Apple says so.
    package var until: Timestamp?
    /// Why Apple refuses.
    package var failure: ProofFailure?
    /// What went wrong, for the operator; never a receipt, a token or a key.
    package var problem: String?
    package var transactions: [SignedTransaction] = []
    /// How many more there are that cannot be read.
    package var unreadable = 0
    /// Apple's number of the app, where an answer about a proof says it.
    package var appAppleId: Int64?
    package var notifications: [NotificationRecoveredV1] = []
    /// Apple's name for the next page; nil after the last.
    package var next: String?
    /// What was found for a reconciliation.
    package var findings: [AppleFinding] = []

    package init(_ outcome: Outcome, until: Timestamp? = nil, problem: String? = nil) {
        self.outcome = outcome
        self.until = until
        self.problem = problem
    }

    /// What Apple knows of a proof or a customer.
    package static func found(
        _ transactions: [SignedTransaction],
        unreadable: Int = 0,
        next: String? = nil
    ) -> AppleJobResult {
        var result = AppleJobResult(.found)
        result.transactions = transactions
        result.unreadable = unreadable
        result.next = next
        return result
    }

    /// Apple refuses for good.
    package static func refused(_ failure: ProofFailure) -> AppleJobResult {
        var result = AppleJobResult(.refused)
        result.failure = failure
        return result
    }

    /// Whether Apple gave no answer.
    package var isUnanswered: Bool {
        switch outcome {
        case .unavailable, .unauthorized: true
        case .found, .contradicted, .unknown, .tooLarge, .refused, .doubted: false
        }
    }

    /// When to ask again after so many attempts without an answer.
    func retryTime(after failures: Int, now: Timestamp, random: UInt64) -> Timestamp {
        max(now.advanced(by: Self.backoff.pause(after: failures, random: random)), until ?? now)
    }
}
