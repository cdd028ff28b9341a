import Contracts

/// Who owns a purchase: from the first proof of one of its transactions to its permanent holder.
///
/// | from \ event | submitted           | reported           | held           | redriven        | refused | retried | transferred |
/// |--------------|---------------------|--------------------|----------------|-----------------|---------|---------|-------------|
/// | unclaimed    | *begins*            | *begins*           | —              | `held`          | —       | —       | `orphan`, kept |
/// | waiting      | waits / *begins* / *names* | noted / *begins* | `held`, judges | `held`, judges | stale | again | kept   |
/// | lookingUp    | waits               | noted              | `held`, judges | `held`, judges  | one fewer, after the last *begins* | again | kept |
/// | proposed     | waits               | noted              | `held`, judges | `held`, judges  | next, `waiting` or `orphan` | again | kept   |
/// | held         | restated / conflict / *asks* | restated if newer | again / *moves* / — | noted / *moves* / — | stale | again | *moves* / conflict / again |
/// | orphan       | *begins*            | *begins*           | `held`, judges | `held`, judges  | stale   | *begins* | kept       |
///
/// - *begins*: `lookingUp` where the claim may be missing, else `waiting` where Apple's word is awaited
///   (`Claim+Evidence`), else `proposed`, or `orphan` where there is no candidate. A submission that an orphan has
///   already waits then.
/// - *names*: once Apple's word is overdue and Apple is silent, the order that a submission names is `proposed`.
/// - *waits*: one candidate is asked at a time; a submission that arrives meanwhile is judged after `held`.
/// - *noted*: newer facts go to Orders after `held`.
/// - *next*: the next candidate is `proposed`; when none is left, a waiting submission adds more.
/// - *one fewer*: the other partitions have not answered yet.
/// - *asks*: another login restores the purchase and may (`Transfer`): its submission waits, and the ledger of the
///   holder is asked to take it back.
/// - *moves*: a later transfer has given it to another holder, by whom the waiting submissions are judged.
/// - *kept*: the ledger has taken it back from a holder who is not known here yet, as in a restored store: as soon as
///   it is held, it moves. What it has not taken changes nothing, and is refused of an unknown purchase.
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
        /// An app receipt lists it, and Apple is asked whose it is.
        case waiting
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

    var state: State = .unclaimed
    private(set) var facts: ClaimFacts?
    var attempt = 0
    /// The submission on whose behalf the last request was made.
    var proposer: Submission?
    /// Whether the facts are newer than those in the last request.
    var hasUnsentFacts = false
    var hasWaiters = false
    var transfer = Transfer()
    /// Whether Apple's word is awaited of a purchase that an app receipt lists.
    var evidence = AppleEvidence.notAsked
    /// Whether it was asked or weighed whom the signed token names.
    var isTokenWeighed = false
    /// By which evidence the holder has it; nil until it is held.
    var heldBy: HolderEvidence?
    /// Whether the holder has handed a proof of it in.
    var isHandedIn = false
    /// Whether it turns out to be another buyer's; nil while nobody weighs it.
    var challenge: Challenge?
    /// Whose it would be by evidence that came too late, because what gave amounts stays: an operator decides.
    ///
    /// Whom a token names is the first. Of one that nobody holds, whom an operator has named.
    var claimants: [BuyerID] = []
    /// Whether a token that it states is somebody's deed, and not repeated by a renewal; not stored either.
    var isDeed = true
    /// Who holds the period before it by Apple's word or an operator's; not stored, but read where a hint has given it.
    var signedForerunner: BuyerID?
    /// Whether an operator asks for it, and for later periods; not stored.
    var isDecided = false
    /// Above all requests of an earlier owner; not stored.
    var firstAttempt = 0
    /// How firmly the holder has it, where a submission names an order; not stored, but read before such an event.
    var firmness = ClaimFirmness.firm
    /// Whether Apple can be asked about the incoming statement, which does not say whose it is; not stored.
    var inquiry: HistoryInquiry?
    /// Whether one of its names is being registered, before which nobody is proposed; not stored, but read where a
    /// claim is told of the time, or of Apple's last word.
    var isRegistering = false
    /// Who holds the chain of the transaction; not stored with the claim, but read before each event.
    var chain: ChainHolder?
    /// The time, and what is known of the chain's transfers; not stored with the claim, but read before each event.
    var transferHistory = TransferHistory()

    /// Applies `event` and returns what must follow; a claim that may be missing is looked up in `scope`.
    mutating func apply(
        _ event: Event,
        _ scope: LookupScope = .none
    ) throws(Refusal) -> [Directive] {
        expectApple()
        let directives = try changes(event, scope)
        // An answer is followed by what is to be weighed next, and a late one by nothing.
        if case .answered = event { return directives }
        return directives + repeatChallenge() + weigh()
    }

    private mutating func changes(_ event: Event, _ scope: LookupScope) throws(Refusal) -> [Directive] {
        switch (state, event) {
        case (.unclaimed, .submitted(let facts, let submission)):
            return update(facts) + begin(submission, scope)
        case (.orphan, .submitted(let facts, let submission)):
            return update(facts) + waitBehind(submission) + begin(submission, scope)
        case (.unclaimed, .reported(let facts)), (.orphan, .reported(let facts)):
            return update(facts) + begin(proposer, scope)
        case (.waiting, .submitted(let facts, let submission)):
            return update(facts) + waitForApple(with: submission, scope)
        case (.waiting, .reported(let facts)):
            return update(facts) + waitForApple(with: nil, scope)
        case (_, .evidenceDue(let waiting, let isUnanswered)):
            return passDeadline(waiting, isUnanswered: isUnanswered, scope)
        case (_, .evidenceMissing(let waiting)): return askAlone(waiting)
        case (_, .evidenceSettled):
            return settleEvidence(scope)
        case (.unclaimed, .answered), (.unclaimed, .reassigned): throw .unknownTransaction
        case (_, .reassigned(let buyer, let waiting)):
            return reassign(to: buyer, waiting, scope)
        case (_, .answered(let attempt, let buyer, let order, let waiting)):
            return conclude(attempt, buyer, order, waiting)
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
        case (.orphan, .held(_, let holder, let waiting)), (.waiting, .held(_, let holder, let waiting)):
            return settle(holder, waiting, isAnswer: false)
        case (.held(let known), .held(_, let holder, let waiting)):
            return try correct(known, holder, waiting)
        case (.unclaimed, .redriven(let facts, let holder, _)):
            return recall(holder) + update(facts)
        case (.lookingUp, .redriven(let facts, let holder, let waiting)),
            (.proposed, .redriven(let facts, let holder, let waiting)),
            (.waiting, .redriven(let facts, let holder, let waiting)),
            (.orphan, .redriven(let facts, let holder, let waiting)):
            return update(facts) + settle(holder, waiting, isAnswer: false)
        case (.held(let known), .redriven(let facts, let holder, let waiting)):
            let directives = try correct(known, holder, waiting)
            return update(facts) + directives
        case (.lookingUp(let pending), .refused(let attempt, _, _, let waiting)):
            guard isPending(attempt) else { return [] }
            return goOn(pending.filter { $0.attempt != attempt }, waiting.first, scope)
        case (.proposed(let candidate), .refused(let attempt, let reason, let registered, let waiting)):
            guard isPending(attempt) else { return [] }
            // An earlier owner's request was refused: its effects may be lost.
            if attempt < scope.firstAttempt, !scope.partitions.isEmpty { return lookUp(scope) }
            if awaitsApple { return goOnNaming(waiting) }
            return goOn(to: next(after: candidate, reason, registered), waiting.first, scope)
        case (_, .transferred(let facts, let answer, let waiting)):
            return try settleTransfer(answer, facts, waiting)
        case (.orphan, .retried):
            return begin(proposer, scope)
        case (.held, .refused), (.orphan, .refused), (.waiting, .refused), (.lookingUp, .retried),
            (.proposed, .retried), (.held, .retried), (.waiting, .retried):
            return []
        case (.unclaimed, .held), (.unclaimed, .refused), (.unclaimed, .retried):
            throw .unknownTransaction
        }
    }

    /// Of a claim that was lost with its store it is not known whether the holder's phone has handed it in.
    private mutating func recall(_ holder: Holder) -> [Directive] {
        hold(holder)
        isHandedIn = true
        return []
    }

    mutating func update(_ facts: ClaimFacts) -> [Directive] {
        guard let joined = facts.joined(to: self.facts) else { return [] }
        self.facts = joined
        return [.storeFacts]
    }

    private mutating func note(_ facts: ClaimFacts) -> [Directive] {
        let updates = update(facts)
        hasUnsentFacts = hasUnsentFacts || !updates.isEmpty
        return updates
    }

    mutating func begin(_ submission: Submission?, _ scope: LookupScope) -> [Directive] {
        proposer = submission
        if !scope.partitions.isEmpty { return lookUp(scope) }
        if awaitsApple { return waitForApple() }
        return propose(firstCandidate, scope)
    }

    /// Of one that nobody holds, an operator's decision comes first.
    private var firstCandidate: ClaimCandidate? {
        if let decided = claimants.first { return .caller(decided) }
        return .first(token: facts?.token, submission: proposer, chain: chain)
    }

    /// The candidate after one that was refused; a token that came meanwhile is asked for before weaker ones.
    private func next(
        after candidate: ClaimCandidate,
        _ reason: ClaimRefusal,
        _ registered: BuyerID?
    ) -> ClaimCandidate? {
        guard isTokenWeighed || facts?.token == nil || !candidate.isHint else { return firstCandidate }
        return candidate.next(
            after: reason,
            registered: registered,
            token: facts?.token,
            submission: proposer,
            chain: chain
        )
    }

    private func isPending(_ attempt: Int) -> Bool {
        switch state {
        case .lookingUp(let pending): pending.contains { $0.attempt == attempt }
        case .proposed: attempt == self.attempt
        case .unclaimed, .waiting, .held, .orphan: false
        }
    }

    mutating func lookUp(_ scope: LookupScope) -> [Directive] {
        hasUnsentFacts = false
        let first = max(attempt + 1, scope.firstAttempt)
        let pending = scope.partitions.enumerated()
            .map { offset, partition in PendingLookup(partition: partition, attempt: first + offset) }
        state = .lookingUp(pending)
        attempt = first + pending.count - 1
        return pending.map { .lookUp(attempt: $0.attempt, in: $0.partition, proposer) }
    }

    mutating func propose(_ candidate: ClaimCandidate?, _ scope: LookupScope) -> [Directive] {
        hasUnsentFacts = false
        guard let candidate else {
            state = .orphan
            return []
        }
        if case .token = candidate { isTokenWeighed = true }
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
        case .unclaimed, .waiting, .held, .orphan: return []
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
        if awaitsApple { return waitForApple() }
        return goOn(to: firstCandidate, waiting, scope)
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

    mutating func wait(_ submission: Submission) -> [Directive] {
        guard !submission.isSame(as: proposer) else {
            // Handed in again, to restore it or with the order.
            if let intent = submission.intent { proposer?.intent = intent }
            if let order = submission.orderId { proposer?.orderId = order }
            return []
        }
        hasWaiters = true
        return [.wait(submission)]
    }
}

extension Submission {
    /// Whether it is this submission with the same transaction: a receipt may name a purchase by several.
    func isSame(as other: Submission?) -> Bool {
        receiptId == other?.receiptId && transactionId == other?.transactionId
    }
}
