import Contracts

/// How long the text of a proof is kept.
///
/// Once all its transactions are finished, only digest and facts of a proof stay; an invalid proof is deleted.
struct ProofRetention: Equatable, Sendable {
    /// Default retention of proofs.
    static let standardDays = 400
    static let invalidMilliseconds: Int64 = 30 * dayMilliseconds

    private static let dayMilliseconds: Int64 = 86_400_000

    /// Retention of the text of verified proofs, ms.
    let verifiedMilliseconds: Int64

    init(days: Int = standardDays) { verifiedMilliseconds = Int64(days) * Self.dayMilliseconds }

    /// Retention since the last judgement, ms.
    func milliseconds(_ state: SubmissionAssessment.State) -> Int64 {
        state == .invalid ? Self.invalidMilliseconds : verifiedMilliseconds
    }
}
