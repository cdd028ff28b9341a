import Contracts
import Domain

/// Whether Apple's word is awaited of a purchase that an app receipt lists.
///
/// A receipt says neither token nor ownership, so whose the purchase is may be known to Apple alone. Nothing weaker holds
/// it while Apple can be asked:
///
/// | from \ event | listed, and Apple can be asked | deadline  | Apple is to be asked here | Apple has answered, or another proof states it |
/// |--------------|--------------------------------|-----------|---------------------------|------------------------------------------------|
/// | notAsked     | `awaited`                      | –         | –                         | `settled`                                      |
/// | awaited      | again                          | `overdue` | –                         | `settled`: the first candidate follows         |
/// | overdue      | again                          | –         | asks                      | `settled`: the first candidate follows         |
/// | settled      | again                          | –         | –                         | again                                          |
///
/// While it is overdue the order that a submission names may hold it, and nobody else. The partition of the receipt asks;
/// a minute later this one asks, too, so that a question that was lost with another store is asked all the same.
enum AppleEvidence: Hashable, Sendable {
    /// How long nobody may hold it, ms; phones wait for 5 s.
    static let deadline: Int64 = 3_000
    /// How long after that the claim asks Apple itself, ms.
    static let fallback: Int64 = 60_000

    /// No proof was silent on whose it is, or nobody can ask Apple.
    case notAsked
    case awaited(until: Timestamp)
    /// The claim asks Apple itself at that time; nil once it has.
    case overdue(askingAt: Timestamp?)
    /// What is not stated is absent.
    case settled

    /// Which times at which something is to be done are due.
    static func due(at now: Timestamp) -> DueTimes { DueTimes(at: now, longestPause: fallback) }

    /// When something is to be done; nil for never.
    var dueAt: Timestamp? {
        switch self {
        case .awaited(let until): until
        case .overdue(let askingAt): askingAt
        case .notAsked, .settled: nil
        }
    }
}

/// How a claim waits for Apple's word.
extension Claim {
    /// Whether nothing weaker than a named order may hold it.
    var awaitsApple: Bool {
        switch evidence {
        case .awaited, .overdue: facts?.isWhole != true
        case .notAsked, .settled: false
        }
    }

    /// Notes that Apple is asked, or can be, about what nobody holds.
    mutating func expectApple() {
        if case .held = state { return }
        guard inquiry != nil, evidence == .notAsked, facts?.isWhole != true else { return }
        evidence = .awaited(until: transferHistory.now.advanced(by: AppleEvidence.deadline))
    }

    mutating func waitForApple() -> [Directive] {
        hasUnsentFacts = false
        state = .waiting
        return inquiry == .unasked ? [.askApple] : []
    }

    /// What follows from a statement that came meanwhile.
    mutating func waitForApple(with submission: Submission?, _ scope: LookupScope) -> [Directive] {
        var directives: [Directive] = []
        if let submission, proposer != nil {
            directives = wait(submission)
        } else {
            proposer = submission ?? proposer
        }
        guard awaitsApple else { return directives + settleEvidence(scope) }
        guard case .overdue = evidence, let submission else { return directives }
        return directives + proposeNamed(among: [submission], scope)
    }

    /// What is not stated by now is absent, so the candidates follow; that waits for a name does the same afterwards.
    mutating func settleEvidence(_ scope: LookupScope) -> [Directive] {
        evidence = .settled
        return state == .waiting && !isRegistering ? begin(proposer, scope) : []
    }

    mutating func passDeadline(_ waiting: [Submission], _ scope: LookupScope) -> [Directive] {
        let now = transferHistory.now
        guard state == .waiting, let due = evidence.dueAt, AppleEvidence.due(at: now).contains(due) else {
            return []
        }
        switch evidence {
        case .awaited:
            evidence = .overdue(askingAt: now.advanced(by: AppleEvidence.fallback))
            return proposeNamed(among: [proposer].compactMap(\.self) + waiting, scope)
        case .overdue(.some):
            evidence = .overdue(askingAt: nil)
            return [.askApple]
        case .overdue(nil), .notAsked, .settled:
            return []
        }
    }

    /// The order that was named cannot be paid by this purchase: that of another submission is proposed.
    mutating func goOnNaming(_ waiting: [Submission], _ scope: LookupScope) -> [Directive] {
        proposer?.orderId = nil
        return proposeNamed(among: waiting, scope)
    }

    /// Proposes the order that one of the submissions names, on its behalf; else goes on waiting.
    private mutating func proposeNamed(among submissions: [Submission], _ scope: LookupScope) -> [Directive] {
        state = .waiting
        guard !isRegistering else { return [] }
        guard let naming = submissions.first(where: { $0.namedOrder != nil }), let order = naming.namedOrder
        else { return [] }
        var directives: [Directive] = []
        if let before = proposer, !naming.isSame(as: before) {
            hasWaiters = true
            directives = [.wait(before), .adopt(naming)]
        }
        proposer = naming
        if !scope.partitions.isEmpty { return directives + lookUp(scope) }
        return directives + propose(.order(order), scope)
    }
}

extension Submission {
    /// The order that it names; nil for none, and for an id that is not ours.
    var namedOrder: OrderID? { orderId.flatMap(OrderID.init(rawValue:)) }
}
