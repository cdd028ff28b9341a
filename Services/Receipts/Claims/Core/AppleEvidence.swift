import Contracts
import Domain

/// Whether Apple's word is awaited of a purchase that an app receipt lists.
///
/// Tested by: `ClaimEvidenceTests`.
///
/// A receipt says neither token nor ownership, so whose the purchase is may be known to Apple alone. Nothing weaker
/// holds it while Apple can be asked:
///
/// | from \ event | listed, and Apple can be asked | its time comes | an order is named | Apple has answered, or another proof states it |
/// |--------------|--------------------------------|----------------|-------------------|------------------------------------------------|
/// | notAsked     | `awaited`                      | –              | –                 | `complete`                                      |
/// | awaited      | again                          | `overdue`, or `pressed` if an order is named: asks here | again | `complete`: the first candidate follows |
/// | pressed      | again                          | `overdue` if Apple leaves the question unanswered: the named order is proposed; else later | again | `complete`: the first candidate follows |
/// | overdue      | again                          | asks here      | `pressed`: asks here | `complete`: the first candidate follows      |
/// | complete     | again                          | –              | –                 | again                                          |
///
/// Of a claim that a named order holds by then, whoever waits beside the holder is judged.
///
/// Only the order that a submission names may hold it without Apple's word, and only if Apple itself is silent: the
/// question about this purchase has gone out and got no answer, or calls to Apple pause because they fail. That others
/// have asked much, so that the question is still ours, gives nobody anything.
///
/// What a history does not list is asked about here at once (`evidenceMissing`), because the newest purchase may be
/// missing there. The partition of the receipt asks. This one asks as well, before all others, where an order is named;
/// and a minute later in any case, so that a question that was lost with another store is asked all the same.
enum AppleEvidence: Hashable, Sendable {
    /// How long the partition of the receipt asks alone, ms.
    static let patience: Int64 = 1_000
    /// How long nobody may hold it, ms; phones wait for 5 s.
    static let deadline: Int64 = 3_000
    /// How long a call to Apple lasts before it counts as unanswered, ms.
    static let silence: Int64 = 1_500
    /// Pause between two looks at whether Apple has answered, once it may have been asked, ms.
    static let pause: Int64 = 500
    /// How long after its patience the claim asks Apple itself, ms.
    static let fallback: Int64 = 60_000

    /// No proof was silent on whose it is, or nobody can ask Apple.
    case notAsked
    case awaited(until: Timestamp)
    /// An order is named, which may hold it from that time on if Apple is silent.
    case pressed(until: Timestamp)
    /// The claim asks Apple itself at that time; nil once it has.
    case overdue(askingAt: Timestamp?)
    /// What is not stated is absent.
    case complete

    /// Whether Apple's word was awaited, and the question is not over.
    var isAsked: Bool {
        switch self {
        case .awaited, .pressed, .overdue: true
        case .notAsked, .complete: false
        }
    }

    /// Which times at which something is to be done are due.
    static func due(at now: Timestamp) -> DueTimes { DueTimes(at: now, longestPause: fallback) }

    /// When something is to be done; nil for never.
    var dueAt: Timestamp? {
        switch self {
        case .awaited(let until), .pressed(let until): until
        case .overdue(let askingAt): askingAt
        case .notAsked, .complete: nil
        }
    }
}
