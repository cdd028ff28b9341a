import Contracts
import Domain

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
