/// The room for what one buyer hands in: so many proofs and bytes of them, whatever became of them.
///
/// | beside what is kept | invalid | asking | parked, all known | pending | verified, all known | verified or parked, with news |
/// |---|---|---|---|---|---|---|
/// | there is room | kept | kept | kept | kept | kept | kept |
/// | there is without the invalid ones | kept in their place | the same | the same | kept | the same | the same |
/// | there is none | refused | refused | refused | kept | told only | kept in the place of all invalid ones |
///
/// What is verified takes no room from what is not: a buyer who has bought much can still hand in what only Apple can
/// judge. News is a transaction that goes to its claim and stands in no other verified proof of the buyer. A pending
/// proof takes the place of the buyer's last one like it. What is told only leaves no row, as every purchase in it is
/// kept with another proof.
package struct SubmissionQuota: Equatable, Sendable {
    /// Most proofs of one buyer.
    package static let maximumCount = 1_000
    /// Most bytes of all proofs of one buyer.
    package static let maximumBytes = 32 << 20
    /// Most proofs of one buyer that Apple is being asked about; one more is refused as busy.
    package static let maximumAsking = 100

    /// Proofs, and bytes of them.
    package struct Use: Equatable, Sendable {
        package var count: Int
        package var bytes: Int

        package init(count: Int, bytes: Int) {
            self.count = count
            self.bytes = bytes
        }
    }

    /// What is done with one proof more.
    package enum Admission: Equatable, Sendable {
        case keep
        /// So much of what is invalid leaves, the oldest first.
        case keepInPlaceOfInvalid(Use)
        case tellOnly
        case refuse
    }

    /// All that is kept of the buyer.
    private let kept: Use
    /// What of it is verified.
    private let verified: Use
    /// What of it is invalid.
    private let invalid: Use
    /// How many Apple is being asked about.
    private let asking: Int

    package init(kept: Use, verified: Use, invalid: Use, asking: Int) {
        self.kept = kept
        self.verified = verified
        self.invalid = invalid
        self.asking = asking
    }

    /// What is done with one proof more of `bytes` that stands so; whether it `hasNews` is asked only if it matters.
    package func admit(
        _ state: SubmissionAssessment.State,
        bytes: Int,
        hasNews: () throws -> Bool
    ) rethrows -> Admission {
        if state == .asking, asking >= Self.maximumAsking { return .refuse }
        let others = state == .verified ? Use(count: 0, bytes: 0) : verified
        let lacking = Use(
            count: max(0, kept.count - others.count + 1 - Self.maximumCount),
            bytes: max(0, kept.bytes - others.bytes + bytes - Self.maximumBytes)
        )
        if state == .pending || (lacking.count == 0 && lacking.bytes == 0) { return .keep }
        if lacking.count <= invalid.count, lacking.bytes <= invalid.bytes {
            return .keepInPlaceOfInvalid(lacking)
        }
        return switch state {
        case .verified: try hasNews() ? .keepInPlaceOfInvalid(invalid) : .tellOnly
        case .parked: try hasNews() ? .keepInPlaceOfInvalid(invalid) : .refuse
        case .asking, .pending, .invalid: .refuse
        }
    }
}
