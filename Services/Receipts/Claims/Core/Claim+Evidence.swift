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

/// How a claim waits for Apple's word.
extension Claim {
    /// Whether nothing weaker than a named order may hold it.
    var awaitsApple: Bool { evidence.isAsked && facts?.isWhole != true }

    /// Whether a hint has given it to its holder while Apple was silent: Apple's word may make it another's.
    var isProvisional: Bool { state.holder != nil && awaitsApple && heldBy?.isFinal != true }

    /// Notes that Apple is asked, or can be, about what nobody holds.
    mutating func expectApple() {
        if case .held = state { return }
        guard reading.inquiry != nil, evidence == .notAsked, facts?.isWhole != true else { return }
        evidence = .awaited(until: reading.transferHistory.now.advanced(by: AppleEvidence.patience))
    }

    mutating func waitForApple() -> [Directive] {
        hasUnsentFacts = false
        state = .waiting
        return reading.inquiry == .unasked ? [.askApple(.awaited)] : askedAgain
    }

    /// What follows from a statement that came meanwhile.
    mutating func waitForApple(with submission: Submission?) -> [Directive] {
        var directives: [Directive] = []
        if let submission, proposer != nil {
            directives = join(submission)
        } else {
            proposer = submission ?? proposer
        }
        guard awaitsApple else { return directives + completeEvidence() }
        guard case .overdue = evidence, submission?.hintedOrder != nil else { return directives }
        return directives + press(from: reading.transferHistory.now)
    }

    /// What is not stated by now is absent, so the candidates follow; that waits for a name does the same afterwards.
    mutating func completeEvidence() -> [Directive] {
        evidence = .complete
        let way = giveWay()
        return way + (reading.isRegistering ? [] : begin(proposer))
    }

    /// Judges what waits beside the holder for Apple's word, unless it goes to another one or may yet.
    mutating func completeEvidence(of holder: Holder) -> [Directive] {
        guard evidence.isAsked else { return [] }
        if awaitsApple { evidence = .complete }
        return challenge == nil ? judgeWaiting(after: nil, by: holder) : []
    }

    /// The question about the receipt is over: the one about the purchase alone is not.
    mutating func askAlone() -> [Directive] {
        switch evidence {
        case .awaited(let until) where isNamed: return press(from: Self.deadline(after: until))
        case .awaited, .overdue(.some):
            evidence = .overdue(askingAt: nil)
            return [.askApple(.awaited)]
        case .pressed, .overdue(nil), .notAsked, .complete: return []
        }
    }

    /// The question that this claim has asked itself, if it is answered or lost meanwhile.
    private var askedAgain: [Directive] { evidence == .overdue(askingAt: nil) ? [.askApple(.awaited)] : [] }

    /// The submission on whose behalf it was asked for last, and those that wait.
    private var submissions: [Submission] { [proposer].compactMap(\.self) + reading.waiting }

    private var isNamed: Bool { submissions.contains { $0.hintedOrder != nil } }

    private static func deadline(after patience: Timestamp) -> Timestamp {
        patience.advanced(by: AppleEvidence.deadline - AppleEvidence.patience)
    }

    mutating func passDeadline(isUnanswered: Bool, askingAt: Timestamp?) -> [Directive] {
        let now = reading.transferHistory.now
        guard let due = evidence.dueAt, AppleEvidence.due(at: now).contains(due) else { return [] }
        switch evidence {
        case .awaited(let until):
            if isNamed { return press(from: Self.deadline(after: until)) }
            evidence = .overdue(askingAt: now.advanced(by: AppleEvidence.fallback))
            return []
        case .pressed:
            guard isUnanswered, !reading.isRegistering else {
                return press(from: Self.nextLook(after: now, askingAt: isUnanswered ? nil : askingAt))
            }
            evidence = .overdue(askingAt: nil)
            return proposeNamed()
        case .overdue(.some):
            evidence = .overdue(askingAt: nil)
            return [.askApple(.awaited)]
        case .overdue(nil), .notAsked, .complete:
            return []
        }
    }

    /// Before Apple is asked the next time, no look can show anything new.
    private static func nextLook(after now: Timestamp, askingAt: Timestamp?) -> Timestamp {
        let first = now.advanced(by: AppleEvidence.pause)
        return min(max(first, askingAt ?? first), now.advanced(by: AppleEvidence.fallback))
    }

    /// Asks Apple before all else: a named order may hold it from that time on.
    private mutating func press(from moment: Timestamp) -> [Directive] {
        evidence = .pressed(until: moment)
        return [.askApple(.named)]
    }

    /// The order that was named cannot be paid by this purchase: that of another submission may be next.
    mutating func goOnNaming() -> [Directive] {
        proposer?.orderId = nil
        state = .waiting
        let way = giveWay()
        guard isNamed else { return way + askedAgain }
        return way + press(from: reading.transferHistory.now)
    }

    /// Proposes the order that one of the submissions names, on its behalf; else goes on waiting.
    private mutating func proposeNamed() -> [Directive] {
        state = .waiting
        guard !reading.isRegistering else { return [] }
        guard let naming = submissions.first(where: { $0.hintedOrder != nil }), let order = naming.hintedOrder
        else { return [] }
        var directives: [Directive] = []
        if let before = proposer, !naming.isSame(as: before) {
            hasWaiters = true
            directives = [.wait(before), .adopt(naming)]
        }
        proposer = naming
        return directives + (mayBeHeld ? lookUp() : propose(.order(order)))
    }
}

extension Submission {
    /// The order that it names; nil for none, and for an id that is not ours.
    var hintedOrder: OrderID? { orderId.flatMap(OrderID.init(rawValue:)) }
}
