import Contracts

/// What is stated of a purchase, and what becomes of the wait for Apple's word.
///
/// Tested by: `ClaimTableTests`, `ClaimTests`.
///
/// | from \ event | submitted                                                                               | statedByApple                              | evidenceDue                                              | evidenceMissing   | evidenceCompleted                          | retried  |
/// |--------------|-----------------------------------------------------------------------------------------|--------------------------------------------|----------------------------------------------------------|-------------------|--------------------------------------------|----------|
/// | unclaimed    | *begins*                                                                                | *begins*                                   | stays                                                    | stays             | stays                                      | refused  |
/// | waiting      | stays; *begins* once Apple's word is known                                              | stays; *begins* once Apple's word is known | stays; an order that is named: `lookingUp` or `proposed` | stays, asks Apple | *begins*; stays while a name is registered | stays    |
/// | lookingUp    | stays: the submission waits                                                             | stays: Orders hears of it later            | stays                                                    | stays             | stays                                      | stays    |
/// | proposed     | stays: the submission waits                                                             | stays: Orders hears of it later            | stays                                                    | stays             | stays                                      | stays    |
/// | held         | stays: the submission is judged, or waits for Apple                                     | stays: Orders hears of newer facts         | stays                                                    | stays, asks Apple | stays: who waits is judged                 | stays    |
/// | orphan       | *begins*; its own submission waits; or the other way round while it waits for its chain | *begins*                                   | stays                                                    | stays             | stays                                      | *begins* |
///
/// The order that is named is proposed once Apple's word is overdue and Apple is silent (`AppleEvidence`). How a
/// submission beside the holder is judged stands in `Claim+Judgement`. What Apple has said is noted in every state.
extension Claim {
    mutating func applySubmitted(_ facts: ClaimFacts, _ submission: Submission) -> [Directive] {
        switch state {
        case .unclaimed: return update(facts) + begin(submission)
        case .waiting: return update(facts) + waitForApple(with: submission)
        case .lookingUp, .proposed: return note(facts) + wait(submission) + repeatRequest()
        case .held(let holder):
            let updates = update(facts)
            return updates + judge([submission], by: holder, hasUnsentFacts: !updates.isEmpty)
        case .orphan:
            let updates = update(facts)
            if isWaiting(beside: submission) { return updates + join(submission) }
            return updates + waitBehind(submission) + begin(submission)
        }
    }

    mutating func applyStated(_ facts: ClaimFacts) -> [Directive] {
        switch state {
        case .unclaimed, .orphan: return update(facts) + begin(proposer)
        case .waiting: return update(facts) + waitForApple(with: nil)
        case .lookingUp, .proposed: return note(facts) + repeatRequest()
        case .held(let holder):
            let updates = update(facts)
            return updates + judge([], by: holder, hasUnsentFacts: !updates.isEmpty)
        }
    }

    mutating func applyEvidenceDue(isUnanswered: Bool, askingAt: Timestamp?) -> [Directive] {
        switch state {
        case .waiting: passDeadline(isUnanswered: isUnanswered, askingAt: askingAt)
        case .unclaimed, .lookingUp, .proposed, .held, .orphan: []
        }
    }

    mutating func applyEvidenceMissing() -> [Directive] {
        switch state {
        case .waiting: askAlone()
        // A named order has it without Apple's word.
        case .held: awaitsApple ? [.askApple(.awaited)] : []
        case .unclaimed, .lookingUp, .proposed, .orphan: []
        }
    }

    mutating func applyEvidenceCompleted() -> [Directive] {
        switch state {
        case .waiting: return completeEvidence()
        case .held(let holder): return completeEvidence(of: holder)
        case .unclaimed, .lookingUp, .proposed, .orphan:
            evidence = .complete
            return []
        }
    }

    mutating func applyRetried() throws(Refusal) -> [Directive] {
        switch state {
        case .unclaimed: throw .unknownTransaction
        case .waiting, .lookingUp, .proposed, .held: return []
        case .orphan: return begin(proposer)
        }
    }
}
