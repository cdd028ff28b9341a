import Contracts

/// Who owns a purchase: from the first proof of one of its transactions to its permanent holder.
///
/// Its transitions are two tables, each with every state: what is stated of it and what becomes of the wait for Apple's
/// word (`Claim+Statements`), and what Orders, a ledger or an operator answers (`Claim+Answers`). In both,
///
/// - *begins*: a round of requests: `lookingUp` where the claim may be missing, else `waiting` where Apple's word is
///   awaited (`AppleEvidence`), else `proposed`, or `orphan` where there is no candidate.
/// - stays: the state is the same one; the words after it say what follows. Alone, nothing changes and nothing is sent.
/// - refused: an answer about what was never asked, or two holders of one purchase.
///
/// One candidate is asked at a time. `lookingUp` asks partitions of Orders at once whether one of them holds the
/// transaction already (`LookupScope`): the first that does ends the round; when all have refused, the candidates
/// follow. Where the claim may be missing, a statement also repeats an earlier owner's request: its answer may be lost
/// with the store. After each event but `answered`, a claim that is held is weighed (`Challenge`).
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

        var holder: Holder? { if case .held(let holder) = self { holder } else { nil } }
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

    /// What is read beside the row before an event, and never stored with the claim.
    struct Reading: Equatable, Sendable {
        /// Where the claim is looked up, as a restored store may lack it; of the event that is being applied.
        var scope = LookupScope.none
        /// The submissions that wait for the event that is being applied, the longest first.
        var waiting: [Submission] = []
        /// Above all requests of an earlier owner.
        var firstAttempt = 0
        /// Who holds the chain of the transaction.
        var chain: ChainHolder?
        /// The time, and what is known of the chain's transfers.
        var transferHistory = Transfer.History()
        /// Whether Apple can be asked about the incoming statement, which does not say whose it is.
        var inquiry: HistoryInquiry?
        /// Whether one of its names is being registered, before which nobody is proposed; read where the claim is told
        /// of the time, or of Apple's last word.
        var isRegistering = false
        /// Whether a token that it states is somebody's deed, and not repeated by a renewal.
        var isDeed = true
        /// Who holds the period before it by Apple's word or an operator's; read where a hint has given it.
        var signedForerunner: BuyerID?
        /// Whether a restore was the last step by which it has moved.
        var isRestored = false
        /// How firmly the holder has it; read where a submission names an order.
        var firmness = ClaimFirmness.firm
        /// To whom a restore moves a period before it from its holder; read where Apple's word about it comes.
        var restorer: BuyerID?
        /// Whether the ledger is asked for that login, in the event that is being applied.
        var isFollowing = false
        /// Whether a restore may move a purchase of its type; read where somebody restores it.
        var isTransferable = true
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
    /// Whether the holder has handed a proof of it in, as their own: neither an id alone, nor what another login has
    /// bought, shows that they have paid.
    var isHandedIn = false
    /// Whether it turns out to be another buyer's; nil while nobody weighs it.
    var challenge: Challenge?
    /// Whose it would be by evidence that came too late, because what gave amounts stays: an operator decides.
    ///
    /// Whom a token names is the first. Of one that nobody holds, whom an operator has named.
    var claimants: [BuyerID] = []
    /// Whether an operator asks for it, and for later periods; not stored, but set while that event is applied.
    var isDecided = false
    /// What is read beside the row, and not stored with it; scope and waiting are those of the event that is applied.
    var reading = Reading()

    /// Applies `event` and returns what must follow; a claim that may be missing is looked up in `scope`.
    mutating func apply(_ event: Event, _ scope: LookupScope = .none) throws(Refusal) -> [Directive] {
        (reading.scope, reading.waiting) = (scope, event.waiting)
        defer { (reading.scope, reading.waiting) = (.none, []) }
        expectApple()
        defer { endWait() }
        let directives = try changes(event)
        // An answer is followed by what is to be weighed next, and a late one by nothing.
        if case .answered = event { return directives }
        return directives + repeatChallenge() + weigh()
    }

    /// Each event is a column of one of the two tables.
    private mutating func changes(_ event: Event) throws(Refusal) -> [Directive] {
        switch event {
        case .submitted(let facts, let submission): return applySubmitted(facts, submission)
        case .statedByApple(let facts): return applyStated(facts)
        case .evidenceDue(_, let isUnanswered, let askingAt):
            return applyEvidenceDue(isUnanswered: isUnanswered, askingAt: askingAt)
        case .evidenceMissing: return applyEvidenceMissing()
        case .evidenceCompleted: return applyEvidenceCompleted()
        case .retried: return try applyRetried()
        case .held(let attempt, let holder, _): return try applyHeld(attempt, holder)
        case .redriven(let facts, let holder, _): return try applyRedriven(facts, holder)
        case .refused(let attempt, let reason, let registered, _):
            return try applyRefused(attempt, reason, registered)
        case .answered(let attempt, let buyer, let order, _): return try applyAnswered(attempt, buyer, order)
        case .transferred(let facts, let answer, _): return try applyTransferred(facts, answer)
        case .reassigned(let buyer, _): return try applyReassigned(to: buyer)
        }
    }

    mutating func update(_ facts: ClaimFacts) -> [Directive] {
        guard let joined = facts.joined(to: self.facts) else { return [] }
        self.facts = joined
        return [.storeFacts]
    }

    mutating func note(_ facts: ClaimFacts) -> [Directive] {
        let updates = update(facts)
        hasUnsentFacts = hasUnsentFacts || !updates.isEmpty
        return updates
    }

    /// Notes by which evidence the holder that an event names has it, if that one is later than the known one.
    mutating func note(_ evidence: HolderEvidence, of event: Event) {
        guard let named = event.namedHolder else { return }
        let isLater = state.holder.map { $0.transfers < named.transfers } ?? false
        if heldBy == nil || isLater { heldBy = evidence }
    }

    /// Whether partitions of Orders may know a holder that is not known here.
    var mayBeHeld: Bool { !reading.scope.partitions.isEmpty }

    mutating func begin(_ submission: Submission?) -> [Directive] {
        proposer = submission
        if mayBeHeld { return lookUp() }
        if awaitsApple { return waitForApple() }
        return propose(firstCandidate)
    }

    /// Of one that nobody holds, an operator's decision comes first.
    private var firstCandidate: ClaimCandidate? {
        if let decided = claimants.first { return .caller(decided) }
        return .first(token: facts?.token, submission: proposer, chain: reading.chain)
    }

    /// The candidate after one that was refused; a token that came meanwhile is asked for before weaker ones.
    func next(
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
            chain: reading.chain
        )
    }

    func isPending(_ attempt: Int) -> Bool {
        switch state {
        case .lookingUp(let pending): pending.contains { $0.attempt == attempt }
        case .proposed: attempt == self.attempt
        case .unclaimed, .waiting, .held, .orphan: false
        }
    }

    /// Asks partitions of Orders, those of the scope if no others are named.
    mutating func lookUp(in partitions: [Int]? = nil) -> [Directive] {
        hasUnsentFacts = false
        let first = max(attempt + 1, reading.scope.firstAttempt)
        let pending = (partitions ?? reading.scope.partitions).enumerated()
            .map { offset, partition in PendingLookup(partition: partition, attempt: first + offset) }
        state = .lookingUp(pending)
        attempt = first + pending.count - 1
        return pending.map { .lookUp(attempt: $0.attempt, in: $0.partition, proposer) }
    }

    mutating func propose(_ candidate: ClaimCandidate?) -> [Directive] {
        hasUnsentFacts = false
        guard let candidate else {
            state = .orphan
            return []
        }
        if case .token = candidate { isTokenWeighed = true }
        state = .proposed(candidate)
        attempt = max(attempt + 1, reading.scope.firstAttempt)
        return [.propose(attempt: attempt, candidate, proposer)]
    }

    /// Repeats an earlier owner's request: a restored store may lack the answer, and Orders does not store refusals.
    mutating func repeatRequest() -> [Directive] {
        guard attempt < reading.scope.firstAttempt else { return [] }
        switch state {
        case .lookingUp(let pending): return lookUp(in: mayBeHeld ? nil : pending.map(\.partition))
        case .proposed(let candidate): return propose(candidate)
        case .unclaimed, .waiting, .held, .orphan: return []
        }
    }

    /// Waits for the missing answers; when all partitions have refused, proposes the candidates.
    mutating func goOn(_ pending: [PendingLookup]) -> [Directive] {
        guard pending.isEmpty else {
            state = .lookingUp(pending)
            return []
        }
        if awaitsApple { return giveWay() + waitForApple() }
        return goOn(to: firstCandidate)
    }

    /// Proposes the next candidate, or starts a waiting submission's round: before a restore, others may have waited.
    mutating func goOn(to next: ClaimCandidate?) -> [Directive] {
        guard next == nil, let waiting = nextWaiting else {
            if next == nil, reading.waiting.isEmpty { hasWaiters = false }
            return propose(next)
        }
        // It waits for the period before it, on behalf of whoever submitted it first.
        if waitsForChain, proposer != nil { return giveWay() + propose(nil) }
        let kept = keepProposer()
        proposer = waiting
        let isRenewal = reading.chain?.isRenewal ?? false
        let first =
            waitsForChain && isRenewal ? nil : ClaimCandidate.first(of: waiting, chain: reading.chain)
        if waitsForChain, first == nil { return kept + [.adopt(waiting)] + propose(nil) }
        return kept + [.adopt(waiting)] + (mayBeHeld ? lookUp() : propose(first))
    }

    /// The submission whose round comes next; by some nobody is a candidate.
    private var nextWaiting: Submission? {
        waitsForChain
            ? reading.waiting.first
            : reading.waiting.first { ClaimCandidate.first(of: $0, chain: reading.chain) != nil }
    }

    /// What is for another waits on, as it is judged once somebody holds it; the order that it named was refused.
    private mutating func keepProposer() -> [Directive] {
        guard var before = proposer, before.caller == nil else { return [] }
        before.orderId = nil
        return wait(always: before)
    }

    /// A waiting submission takes the place of one by which nobody is a candidate.
    mutating func giveWay() -> [Directive] {
        guard proposer?.hasCandidate == false, let waiting = reading.waiting.first(where: \.hasCandidate)
        else { return [] }
        return join(waiting)
    }

    /// The submission waits, or takes the place of one by which nobody is a candidate.
    mutating func join(_ submission: Submission) -> [Directive] {
        guard let before = proposer, !before.hasCandidate, submission.hasCandidate,
            !submission.isSame(as: before)
        else { return wait(submission) }
        proposer = submission
        return wait(always: before) + [.adopt(submission)]
    }

    /// Whether its buyer is not known before that of the period before it: with all its submissions it waits, unless it
    /// is a purchase and a token or an order names somebody.
    private var waitsForChain: Bool { reading.chain.map { $0.buyer == nil } ?? false }

    /// Whether it waits for the period before it on behalf of an earlier submission, and nothing that is said now names
    /// another candidate.
    func isWaiting(beside submission: Submission) -> Bool {
        guard waitsForChain, proposer != nil, firstCandidate == nil else { return false }
        return reading.chain?.isRenewal == true || submission.hintedOrder == nil
    }

    /// An orphan's own submission waits when another one begins a round.
    mutating func waitBehind(_ submission: Submission) -> [Directive] {
        guard let proposer, !submission.isSame(as: proposer) else { return [] }
        hasWaiters = true
        return [.wait(proposer)]
    }

    mutating func wait(_ submission: Submission) -> [Directive] {
        guard !submission.isSame(as: proposer) else {
            // Handed in again, to restore it or with the order; whose it is then is what was said last.
            proposer?.isForAnother = submission.isForAnother
            if let intent = submission.intent, proposer?.intent != .restore { proposer?.intent = intent }
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
