import Contracts

/// The end of all proposals, and what the submissions of a held purchase are told.
extension Claim {
    /// The end of all proposals.
    ///
    /// Orders passes the proposal's own submission to the ledger if its submitter holds the transaction; an answer to
    /// another proposal may concern another submission and older facts, or a holder from whom it has moved.
    mutating func endProposals(_ named: Holder, isAnswer: Bool) -> [Directive] {
        noteChain(named, isAnswer: isAnswer)
        let takenBack = transfer.takenBack
        let next = takenBack.flatMap {
            $0.cause == .restore ? named.moved(to: $0.buyer, by: $0.transfer) : nil
        }
        let (holder, isAnswer) = (next ?? named, isAnswer && next == nil)
        let isDone = isAnswer && proposer?.submitter == holder.buyer
        if isDone, proposer?.caller != nil { isHandedIn = true }
        let own = isDone ? [] : [proposer].compactMap(\.self)
        let dismissal = dismissWaiters()
        hold(holder)
        takeDecision(for: holder)
        let directives = dismissal + (takenBack.map { goOn(moving: $0, from: holder) } ?? [])
        let judgement = judge(own + reading.waiting, by: holder, hasUnsentFacts: hasUnsentFacts || !isAnswer)
        hasUnsentFacts = false
        // The order may have been named while somebody else was asked.
        return directives + judgement + (isDone ? weighOwn([proposer].compactMap(\.self), of: holder) : [])
    }

    /// Who has the chain is asked for as a caller, so that an order of theirs is paid, and has it by more than that.
    private mutating func noteChain(_ holder: Holder, isAnswer: Bool) {
        guard isAnswer, heldBy == .caller, reading.chain?.buyer == holder.buyer,
            case .proposed(.caller(holder.buyer)) = state
        else { return }
        heldBy = .holder
    }

    mutating func dismissWaiters() -> [Directive] {
        guard hasWaiters else { return [] }
        hasWaiters = false
        return [.dismissWaiters]
    }

    /// Judges submissions beside the holder; while it turns out whose the purchase is, they wait.
    mutating func judge(
        _ submissions: [Submission],
        by holder: Holder,
        hasUnsentFacts: Bool
    ) -> [Directive] {
        let weighed = weigh() + followRestore(of: holder)
        let ofHolder = submissions.filter { $0.submitter == holder.buyer }
        let ofOthers = submissions.filter { $0.submitter != holder.buyer }
        if ofHolder.contains(where: { $0.caller != nil }) { isHandedIn = true }
        let bare: [Directive] = hasUnsentFacts && ofHolder.isEmpty ? [.restate(holder, nil)] : []
        let own = weighOwn(ofHolder, of: holder)
        return weighed + own + ofHolder.flatMap { restate(holder, $0) } + bare
            + ofOthers.flatMap { judge($0, beside: holder) }
    }

    /// What the holder has handed in goes to the ledger, unless it is leaving that.
    private mutating func restate(_ holder: Holder, _ submission: Submission) -> [Directive] {
        switch challenge {
        case .taking, .moving: wait(always: submission)
        case .asking, nil: [.restate(holder, submission)]
        }
    }

    /// Judges the submission of a login that does not hold the purchase.
    mutating func judge(_ submission: Submission, beside holder: Holder) -> [Directive] {
        if challenge != nil || isTokenPending { return wait(always: submission) }
        // What a hint gave while Apple was silent may be another's: nobody moves it or is refused before Apple speaks.
        if isProvisional { return wait(always: submission) + [.askApple(.awaited)] }
        return weigh(submission, beside: holder) ?? judgeRestore(submission, beside: holder)
    }

    /// Judges a submission that names no order which might take it.
    mutating func judgeRestore(_ submission: Submission, beside holder: Holder) -> [Directive] {
        var submission = submission
        if !reading.isTransferable { submission.intent = nil }
        // Whatever else the login for which the ledger is being asked hands in waits for that answer, too.
        if submission.submitter == transfer.requester { submission.intent = .restore }
        guard submission.intent == .restore, facts?.isShared != true else { return judgeFinally(submission) }
        switch transfer.apply(.asked(by: submission.submitter, reading.transferHistory)) {
        case .refused: return judgeFinally(submission)
        case .again where reading.isFollowing: return wait(always: submission)
        case .applied, .again:
            return wait(always: submission)
                + [.requestTransfer(from: holder, to: submission.submitter, .restore)]
        }
    }

    /// The submission waits, also the one on whose behalf the last request was made.
    mutating func wait(always submission: Submission) -> [Directive] {
        hasWaiters = true
        return [.wait(submission)]
    }
}
