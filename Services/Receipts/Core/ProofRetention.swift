package import Contracts

/// How long the text of a proof is kept.
///
/// Of a proof whose transactions all went to their claims and are settled there, digest and facts stay; one that is no
/// payment leaves as a whole.
package struct ProofRetention: Equatable, Sendable {
    /// Days for which a proof is kept as it came when nothing is said.
    package static let standardDays = 400
    /// ms for which an invalid proof is kept.
    package static let invalidMilliseconds: Int64 = 30 * dayMilliseconds

    private static let dayMilliseconds: Int64 = 86_400_000

    /// ms for which the text of a verified proof is kept.
    package let verifiedMilliseconds: Int64

    package init(days: Int = standardDays) { verifiedMilliseconds = Int64(days) * Self.dayMilliseconds }

    /// What was judged before leaves now.
    package func end(of state: SubmissionAssessment.State, now: Timestamp) -> Timestamp {
        now.advanced(by: -milliseconds(state))
    }

    /// When the oldest that was judged at `judged` leaves.
    package func due(_ state: SubmissionAssessment.State, judged: Timestamp) -> Timestamp {
        judged.advanced(by: milliseconds(state))
    }

    private func milliseconds(_ state: SubmissionAssessment.State) -> Int64 {
        state == .invalid ? Self.invalidMilliseconds : verifiedMilliseconds
    }
}
