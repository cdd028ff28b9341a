import Contracts

/// How long the text of a proof is kept.
///
/// Once all its transactions are settled, only digest and facts of a proof stay; an invalid proof is deleted.
struct ProofRetention: Equatable, Sendable {
    /// Default retention of proofs.
    static let standardDays = 400
    static let invalidMilliseconds: Int64 = 30 * dayMilliseconds

    private static let dayMilliseconds: Int64 = 86_400_000

    /// Retention of the text of verified proofs, ms.
    let verifiedMilliseconds: Int64

    init(days: Int = standardDays) { verifiedMilliseconds = Int64(days) * Self.dayMilliseconds }

    /// Proofs judged before this time are due for deletion.
    func end(of state: SubmissionAssessment.State, now: Timestamp) -> Timestamp {
        now.advanced(by: -milliseconds(state))
    }

    /// When a proof judged at `judged` is due for deletion.
    func due(_ state: SubmissionAssessment.State, judged: Timestamp) -> Timestamp {
        judged.advanced(by: milliseconds(state))
    }

    private func milliseconds(_ state: SubmissionAssessment.State) -> Int64 {
        state == .invalid ? Self.invalidMilliseconds : verifiedMilliseconds
    }
}
