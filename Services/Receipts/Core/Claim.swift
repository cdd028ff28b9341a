import Contracts

/// Who owns a purchase: from the first proof of one of its transactions to its permanent holder.
///
/// | from \ event | submitted           | reported           | held           | redriven        | refused | retried | transferred |
/// |--------------|---------------------|--------------------|----------------|-----------------|---------|---------|-------------|
/// | unclaimed    | *begins*            | *begins*           | —              | `held`          | —       | —       | `orphan`, kept |
/// | lookingUp    | waits               | noted              | `held`, judges | `held`, judges  | one fewer, after the last `proposed` or `orphan` | again | kept |
/// | proposed     | waits               | noted              | `held`, judges | `held`, judges  | next or `orphan` | again | kept   |
/// | held         | restated / conflict / *asks* | restated if newer | again / *moves* / — | noted / *moves* / — | stale | again | *moves* / conflict / again |
/// | orphan       | *begins*            | *begins*           | `held`, judges | `held`, judges  | stale   | *begins* | kept       |
///
/// - *begins*: `lookingUp` where the claim may be missing, else `proposed`, or `orphan` where there is no candidate. A
///   submission that an orphan has already waits then.
/// - *waits*: one candidate is asked at a time; a submission that arrives meanwhile is judged after `held`.
/// - *noted*: newer facts go to Orders after `held`.
/// - *next*: the next candidate is `proposed`; when none is left, a waiting submission adds more.
/// - *one fewer*: the other partitions have not answered yet.
/// - *asks*: another login restores the purchase and may (`Transfer`): its submission waits, and the ledger of the holder
///   is asked to take it back.
/// - *moves*: a later transfer has given it to another holder, by whom the waiting submissions are judged.
/// - *kept*: the ledger has taken it back from a holder who is not known here yet, as in a restored store: as soon as it
///   is held, it moves. What it has not taken changes nothing, and is refused of an unknown purchase.
/// - *stale*: the answer to a request that is no longer pending; `lookingUp` and `proposed` also ignore it.
/// - *again*: nothing changes and nothing is sent. —: refused.
///
/// `lookingUp` asks partitions of Orders at once whether one of them holds the transaction already (`LookupScope`): the
/// first that does ends the round; when all have refused, the candidates follow. *redriven* is sent by Orders after a
/// store was restored; it carries the facts and answers no request, so waiting submissions are judged anew. Where the
/// claim may be missing, *waits* and *noted* repeat an earlier owner's request: its answer may be lost with the store.
///
/// `held` applies whatever its attempt: Orders sends it only when an order is paid and a grant under way, so a
/// second proposal of the same transaction could only pay a second order.
struct Claim: Equatable, Sendable {
    /// The claim's progress; `unclaimed` is a transaction that the store does not have yet.
    enum State: Equatable, Sendable {
        case unclaimed
        /// Unanswered lookups, at least one.
        case lookingUp([PendingLookup])
        case proposed(ClaimCandidate)
        case held(Holder)
        case orphan
    }

    /// The buyer who holds the transaction, and the order that it pays for.
    struct Holder: Equatable, Sendable {
        let buyer: BuyerID
        let order: OrderID
        /// How it came to the buyer; nil of the one who paid.
        var transferred: Transferred?

        /// How often it has moved.
        var transfers: Int { transferred?.count ?? 0 }
        /// The buyer who paid.
        var payer: BuyerID { transferred?.payerId ?? buyer }

        /// The same holder by another order.
        func paying(_ order: OrderID) -> Holder {
            Holder(buyer: buyer, order: order, transferred: transferred)
        }

        /// The holder after a later transfer; nil if it is not later.
        func moved(to buyer: BuyerID, by transfer: Int) -> Holder? {
            guard transfer > transfers else { return nil }
            return Holder(
                buyer: buyer,
                order: order,
                transferred: Transferred(count: transfer, payerId: payer)
            )
        }
    }

    private(set) var state: State = .unclaimed
    private(set) var facts: ClaimFacts?
    private(set) var attempt = 0
    /// The submission on whose behalf the last request was made.
    private(set) var proposer: Submission?
    /// Whether the facts are newer than those in the last request.
    private(set) var hasUnsentFacts = false
    private(set) var hasWaiters = false
    private(set) var transfer = Transfer()
    /// Who holds the chain of the transaction; not stored with the claim, but read before each event.
    var chain: ChainHolder?
    /// The time, and what is known of the chain's transfers; not stored with the claim, but read before each event.
    var transferHistory = TransferHistory()

    /// Applies `event` and returns what must follow; a claim that may be missing is looked up in `scope`.
    mutating func apply(
        _ event: Event,
        _ scope: LookupScope = .none
    ) throws(Refusal) -> [Directive] {
        switch (state, event) {
        case (.unclaimed, .submitted(let facts, let submission)):
            return update(facts) + begin(submission, scope)
        case (.orphan, .submitted(let facts, let submission)):
            return update(facts) + waitBehind(submission) + begin(submission, scope)
        case (.unclaimed, .reported(let facts)), (.orphan, .reported(let facts)):
            return update(facts) + begin(proposer, scope)
        case (.lookingUp, .submitted(let facts, let submission)),
            (.proposed, .submitted(let facts, let submission)):
            return note(facts) + wait(submission) + repeatRequest(scope)
        case (.lookingUp, .reported(let facts)), (.proposed, .reported(let facts)):
            return note(facts) + repeatRequest(scope)
        case (.held(let holder), .submitted(let facts, let submission)):
            let updates = update(facts)
            return updates + judge([submission], by: holder, hasUnsentFacts: !updates.isEmpty)
        case (.held(let holder), .reported(let facts)):
            let updates = update(facts)
            return updates + judge([], by: holder, hasUnsentFacts: !updates.isEmpty)
        case (.lookingUp, .held(let attempt, let holder, let waiting)),
            (.proposed, .held(let attempt, let holder, let waiting)):
            return settle(holder, waiting, isAnswer: isPending(attempt))
        case (.orphan, .held(_, let holder, let waiting)):
            return settle(holder, waiting, isAnswer: false)
        case (.held(let known), .held(_, let holder, let waiting)):
            return try correct(known, holder, waiting)
        case (.unclaimed, .redriven(let facts, let holder, _)):
            hold(holder)
            return update(facts)
        case (.lookingUp, .redriven(let facts, let holder, let waiting)),
            (.proposed, .redriven(let facts, let holder, let waiting)),
            (.orphan, .redriven(let facts, let holder, let waiting)):
            return update(facts) + settle(holder, waiting, isAnswer: false)
        case (.held(let known), .redriven(let facts, let holder, let waiting)):
            let directives = try correct(known, holder, waiting)
            return update(facts) + directives
        case (.lookingUp(let pending), .refused(let attempt, _, _, let waiting)):
            guard isPending(attempt) else { return [] }
            return goOn(pending.filter { $0.attempt != attempt }, waiting, scope)
        case (.proposed(let candidate), .refused(let attempt, let reason, let registered, let waiting)):
            guard isPending(attempt) else { return [] }
            // An earlier owner's request was refused: its effects may be lost.
            if attempt < scope.firstAttempt, !scope.partitions.isEmpty { return lookUp(scope) }
            let next = candidate.next(
                after: reason,
                registered: registered,
                token: facts?.token,
                submission: proposer,
                chain: chain
            )
            return goOn(to: next, waiting, scope)
        case (_, .transferred(let facts, let answer, let waiting)):
            return try take(answer, facts, waiting)
        case (.orphan, .retried):
            return begin(proposer, scope)
        case (.held, .refused), (.orphan, .refused), (.lookingUp, .retried), (.proposed, .retried),
            (.held, .retried):
            return []
        case (.unclaimed, .held), (.unclaimed, .refused), (.unclaimed, .retried):
            throw .unknownTransaction
        }
    }

    private mutating func update(_ facts: ClaimFacts) -> [Directive] {
        guard let joined = facts.joined(to: self.facts) else { return [] }
        self.facts = joined
        return [.storeFacts]
    }

    private mutating func note(_ facts: ClaimFacts) -> [Directive] {
        let updates = update(facts)
        hasUnsentFacts = hasUnsentFacts || !updates.isEmpty
        return updates
    }

    private mutating func begin(_ submission: Submission?, _ scope: LookupScope) -> [Directive] {
        proposer = submission
        if !scope.partitions.isEmpty { return lookUp(scope) }
        return propose(.first(token: facts?.token, submission: submission, chain: chain), scope)
    }

    private func isPending(_ attempt: Int) -> Bool {
        switch state {
        case .lookingUp(let pending): pending.contains { $0.attempt == attempt }
        case .proposed: attempt == self.attempt
        case .unclaimed, .held, .orphan: false
        }
    }

    private mutating func lookUp(_ scope: LookupScope) -> [Directive] {
        hasUnsentFacts = false
        let first = max(attempt + 1, scope.firstAttempt)
        let pending = scope.partitions.enumerated()
            .map { offset, partition in PendingLookup(partition: partition, attempt: first + offset) }
        state = .lookingUp(pending)
        attempt = first + pending.count - 1
        return pending.map { .lookUp(attempt: $0.attempt, in: $0.partition, proposer) }
    }

    private mutating func propose(_ candidate: ClaimCandidate?, _ scope: LookupScope) -> [Directive] {
        hasUnsentFacts = false
        guard let candidate else {
            state = .orphan
            return []
        }
        state = .proposed(candidate)
        attempt = max(attempt + 1, scope.firstAttempt)
        return [.propose(attempt: attempt, candidate, proposer)]
    }

    /// Repeats an earlier owner's request: a restored store may lack the answer, and Orders does not store refusals.
    private mutating func repeatRequest(_ scope: LookupScope) -> [Directive] {
        guard attempt < scope.firstAttempt else { return [] }
        switch state {
        case .lookingUp(let pending):
            guard scope.partitions.isEmpty else { return lookUp(scope) }
            let partitions = pending.map(\.partition)
            return lookUp(LookupScope(partitions: partitions, firstAttempt: scope.firstAttempt))
        case .proposed(let candidate): return propose(candidate, scope)
        case .unclaimed, .held, .orphan: return []
        }
    }

    /// Waits for the missing answers; when all partitions have refused, proposes the candidates.
    private mutating func goOn(
        _ pending: [PendingLookup],
        _ waiting: Submission?,
        _ scope: LookupScope
    ) -> [Directive] {
        guard pending.isEmpty else {
            state = .lookingUp(pending)
            return []
        }
        let first = ClaimCandidate.first(token: facts?.token, submission: proposer, chain: chain)
        return goOn(to: first, waiting, scope)
    }

    /// Proposes the next candidate, or starts a waiting submission's round: before a restore, others may have waited.
    private mutating func goOn(
        to next: ClaimCandidate?,
        _ waiting: Submission?,
        _ scope: LookupScope
    ) -> [Directive] {
        guard next == nil, let waiting else {
            if next == nil { hasWaiters = false }
            return propose(next, scope)
        }
        // A renewal waits for the period before it, on behalf of whoever submitted it first.
        if waitsForChain, proposer != nil { return propose(nil, scope) }
        proposer = waiting
        if waitsForChain { return [.adopt(waiting)] + propose(nil, scope) }
        let requests =
            scope.partitions.isEmpty ? propose(.first(of: waiting, chain: chain), scope) : lookUp(scope)
        return [.adopt(waiting)] + requests
    }

    /// Whether it is a renewal whose buyer is not known before the period before it: with all its submissions it waits.
    private var waitsForChain: Bool { chain.map { $0.isRenewal && $0.buyer == nil } ?? false }

    /// An orphan's own submission waits when another one begins a round.
    private mutating func waitBehind(_ submission: Submission) -> [Directive] {
        guard let proposer, !submission.isSame(as: proposer) else { return [] }
        hasWaiters = true
        return [.wait(proposer)]
    }

    private mutating func wait(_ submission: Submission) -> [Directive] {
        guard !submission.isSame(as: proposer) else { return [] }
        hasWaiters = true
        return [.wait(submission)]
    }

    // MARK: Judgement

    /// The end of all proposals.
    ///
    /// Orders passes the proposal's own submission to the ledger if its submitter holds the transaction; an answer to
    /// another proposal may concern another submission and older facts, or a holder from whom it has moved.
    private mutating func settle(_ named: Holder, _ waiting: [Submission], isAnswer: Bool) -> [Directive] {
        let next = transfer.settled.flatMap { named.moved(to: $0.buyer, by: $0.transfer) }
        let (holder, isAnswer) = (next ?? named, isAnswer && next == nil)
        let own = proposer.map { isAnswer && $0.submitter == holder.buyer ? [] : [$0] } ?? []
        let dismissal = dismissWaiters()
        hold(holder)
        let judgement = judge(own + waiting, by: holder, hasUnsentFacts: hasUnsentFacts || !isAnswer)
        hasUnsentFacts = false
        return dismissal + judgement
    }

    private mutating func dismissWaiters() -> [Directive] {
        guard hasWaiters else { return [] }
        hasWaiters = false
        return [.dismissWaiters]
    }

    private mutating func judge(
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
    private mutating func judge(_ submission: Submission, beside holder: Holder) -> [Directive] {
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

// MARK: Transfers

extension Claim {
    /// Asks for a later period of a chain that another login restores; the holder whose ledger must be asked, once.
    mutating func follow(to buyer: BuyerID) -> Holder? {
        guard case .held(let holder) = state, holder.buyer != buyer,
            transfer.apply(.asked(by: buyer, transferHistory)) == .applied
        else { return nil }
        return holder
    }

    private mutating func hold(_ holder: Holder) {
        state = .held(holder)
        // Of a transfer that a restored store has lost, the time is not known.
        if holder.transferred != nil { _ = transfer.apply(.taken(at: transferHistory.now)) }
    }

    /// What was said of the holder of a held claim: of two the later transfer's holds it.
    ///
    /// Orders that was an older copy may have made another order for the payment: it knows its orders.
    private mutating func correct(
        _ known: Holder,
        _ holder: Holder,
        _ waiting: [Submission]
    ) throws(Refusal) -> [Directive] {
        guard known.payer == holder.payer else { throw .heldByAnother }
        let known = known.paying(holder.order)
        state = .held(known)
        if holder.transfers > known.transfers { return move(to: holder, waiting, hasUnsentFacts: false) }
        guard holder.transfers < known.transfers || holder == known else { throw .heldByAnother }
        return []
    }

    /// The ledger's answer, which a restored store may hear before it knows a holder.
    private mutating func take(
        _ answer: TransferAnswer,
        _ facts: ClaimFacts,
        _ waiting: [Submission]
    ) throws(Refusal) -> [Directive] {
        switch state {
        case .held(let holder): return conclude(answer, of: holder, waiting)
        case .lookingUp, .proposed, .orphan: return keep(answer)
        case .unclaimed:
            guard answer.isTaken else { throw .unknownTransaction }
            state = .orphan
            return update(facts) + keep(answer)
        }
    }

    private mutating func keep(_ answer: TransferAnswer) -> [Directive] {
        guard answer.isTaken else { return [] }
        _ = transfer.apply(.settled(for: answer.buyer, transfer: answer.transfer))
        return [.noteTransfer(answer)]
    }

    private mutating func conclude(
        _ answer: TransferAnswer,
        of holder: Holder,
        _ waiting: [Submission]
    ) -> [Directive] {
        if answer.isTaken {
            // Also of a move that the holder shows already: a restored claim knows none of the steps to its holder.
            let note = [Directive.noteTransfer(answer)]
            guard let next = holder.moved(to: answer.buyer, by: answer.transfer) else { return note }
            return note + move(to: next, waiting, hasUnsentFacts: true)
        }
        guard transfer.apply(.kept(of: answer.buyer)) == .applied else { return [] }
        return dismissWaiters() + waiting.map(Directive.sendConflict)
    }

    private mutating func move(
        to holder: Holder,
        _ waiting: [Submission],
        hasUnsentFacts: Bool
    ) -> [Directive] {
        hold(holder)
        return dismissWaiters() + judge(waiting, by: holder, hasUnsentFacts: hasUnsentFacts)
    }
}

extension Submission {
    /// Whether it is this submission with the same transaction: a receipt may name a purchase by several.
    fileprivate func isSame(as other: Submission?) -> Bool {
        receiptId == other?.receiptId && transactionId == other?.transactionId
    }
}
