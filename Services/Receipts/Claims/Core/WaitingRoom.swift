import Contracts

/// How many submissions wait for one purchase, and which.
///
/// Tested by: `WaitingRoomTests`.
///
/// Whoever hands in what another login has bought, or an id, waits until somebody holds the purchase, which may be
/// never: an orphan would keep a row for each login that has a copy, and all of them are judged in one transaction.
///
/// | room | somebody is a candidate by it | nobody is |
/// |---|---|---|
/// | some is left | waits | waits |
/// | none, and some wait by which nobody is a candidate | waits in place of the last of those | does not wait |
/// | none else | does not wait | does not wait |
///
/// The oldest stay: a flood of later logins displaces nobody who waits. What does not wait loses nothing but the word
/// about its end: its proof is stored, its verdict stays `pending`, and it is judged when it is handed in again.
enum WaitingRoom {
    /// More logins than a fraudster makes, as of those who are parked (`Claim.maximumClaimants`).
    static let maximum = 1_000

    enum Admission: Equatable, Sendable {
        case wait
        case waitInPlaceOf(Submission)
        case refuse
    }

    /// Whether a submission waits beside those that do, the longest first.
    static func admission(
        of submission: Submission,
        beside waiting: [Submission],
        maximum: Int = maximum
    ) -> Admission {
        let isKnown = waiting.contains { submission.isSame(as: $0) }
        guard !isKnown, waiting.count >= maximum else { return .wait }
        guard submission.hasCandidate, let last = waiting.last(where: { !$0.hasCandidate }) else {
            return .refuse
        }
        return .waitInPlaceOf(last)
    }
}
