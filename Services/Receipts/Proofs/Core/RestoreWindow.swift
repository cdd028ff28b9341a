import Contracts

/// Until when a submission restores purchases that other logins hold.
///
/// Tested by: `FreshProofTests`.
///
/// | when it was handed in last, its proof | it restores                        |
/// |---------------------------------------|------------------------------------|
/// | was signed just before                | within the interval of transfers   |
/// | is older, or does not say when        | nothing                            |
///
/// A copy of an old proof shows nobody's login. The proof's own date counts, which the phone renews with
/// `AppStore.sync()`, and nothing that Apple says later. A restore is the deed of a moment: one that is sent again
/// within the interval cannot move a purchase a second time, and a later one restores nothing.
struct RestoreWindow: Hashable, Sendable {
    /// Before every time, also of a clock that is set back, where the proof was old.
    private(set) var end: Timestamp

    init(end: Timestamp) { self.end = end }

    /// That of a submission which is handed in now.
    init(from now: Timestamp) { end = now.advanced(by: Transfer.interval) }

    /// Closes it unless the proof was signed less than `fresh` milliseconds ago.
    ///
    /// Each time that it is handed in is judged anew: one that was refused must not move anything weeks later. Of one
    /// that is under way the claim knows (`Claim.judgeRestore`).
    mutating func check(signedAt: Timestamp?, fresh: Int64, now: Timestamp) {
        let isFresh = signedAt.map { now < $0.advanced(by: fresh) } ?? false
        if !isFresh { end = Timestamp(milliseconds: 0) }
    }

    /// What its claims learn of it at a time.
    func intent(at now: Timestamp) -> Submission.Intent { now < end ? .restore : .staleRestore }
}
