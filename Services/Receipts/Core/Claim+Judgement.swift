import Contracts

/// The end of all proposals, and what the submissions of a held purchase are told.
extension Claim {
    /// The end of all proposals.
    ///
    /// Orders passes the proposal's own submission to the ledger if its submitter holds the transaction; an answer to
    /// another proposal may concern another submission and older facts, or a holder from whom it has moved.
    mutating func settle(_ named: Holder, _ waiting: [Submission], isAnswer: Bool) -> [Directive] {
        let next = transfer.settled.flatMap { named.moved(to: $0.buyer, by: $0.transfer) }
        let (holder, isAnswer) = (next ?? named, isAnswer && next == nil)
        let own = proposer.map { isAnswer && $0.submitter == holder.buyer ? [] : [$0] } ?? []
        let dismissal = dismissWaiters()
        hold(holder)
        let judgement = judge(own + waiting, by: holder, hasUnsentFacts: hasUnsentFacts || !isAnswer)
        hasUnsentFacts = false
        return dismissal + judgement
    }

    mutating func dismissWaiters() -> [Directive] {
        guard hasWaiters else { return [] }
        hasWaiters = false
        return [.dismissWaiters]
    }

    mutating func judge(
        _ submissions: [Submission],
        by holder: Holder,
        hasUnsentFacts: Bool
    ) -> [Directive] {
        let ofHolder = submissions.filter { $0.submitter == holder.buyer }
        let ofOthers = submissions.filter { $0.submitter != holder.buyer }
        let bare: [Directive] = hasUnsentFacts && ofHolder.isEmpty ? [.restate(holder, nil)] : []
        return ofHolder.map { .restate(holder, $0) } + bare + ofOthers.flatMap { judge($0, beside: holder) }
    }

    /// Judges the submission of a login that does not hold the purchase.
    mutating func judge(_ submission: Submission, beside holder: Holder) -> [Directive] {
        guard submission.intent == .restore, facts?.isShared != true else {
            return [.sendConflict(submission)]
        }
        switch transfer.apply(.asked(by: submission.submitter, transferHistory)) {
        case .refused: return [.sendConflict(submission)]
        case .applied, .again:
            hasWaiters = true
            return [.wait(submission), .requestTransfer(from: holder, to: submission.submitter)]
        }
    }
}
