package import Contracts

/// Whose a purchase is: from the first proof of one of its transactions to the buyer who holds it for ever.
///
/// | from \ event | submitted           | stated             | held           | recalled        | refused | retried |
/// |--------------|---------------------|--------------------|----------------|-----------------|---------|---------|
/// | unclaimed    | *begins*            | *begins*           | —              | `held`          | —       | —       |
/// | sought       | waits               | noted              | `held`, judges | `held`, judges  | one fewer, at the last `proposed` or `orphan` | again |
/// | proposed     | waits               | noted              | `held`, judges | `held`, judges  | next or `orphan` | again |
/// | held         | restated / conflict | restated if news   | again / —      | noted / —       | stale   | again   |
/// | orphan       | *begins*            | *begins*           | `held`, judges | `held`, judges  | stale   | *begins* |
///
/// *begins*: `lookingUp` where the claim may have been forgotten, else `proposed`, or `orphan` where nobody can be. *waits*:
/// one candidate is asked at a time, so a submission that comes meanwhile is kept and judged after `held`; that of the
/// query itself is *again*. *noted*: newer facts go to Orders after `held`. *next*: the next candidate is
/// `proposed`; when none is left a waiting submission brings more. *one fewer*: the other partitions that were asked have
/// not answered yet. *stale*: an answer to a query that is no longer out, as after another one has ended the round;
/// `lookingUp` and `proposed` take it for the same. *again*: nothing changes and nothing is sent. —: refused.
///
/// `lookingUp` asks partitions of Orders, all at once, whether one of them holds the transaction already
/// (`LookupScope` says which and when, and what it guards against): the first that does ends the round, and when all
/// have refused the candidates follow, first the one that its token names. *recalled* is Orders' word after a store was restored; it
/// brings the facts with it and answers no query, so that whoever asked here is judged anew.
///
/// Where the claim may have been forgotten, *waits* and *noted* ask an earlier owner's query once more: its answer may
/// be lost with the store.
///
/// `held` is taken whatever its attempt: Orders says it only when it has an order paid and a grant under way, so that a
/// second proposal of the same transaction could only pay a second order.
package struct Claim: Equatable, Sendable {
    /// How far it has come; `unclaimed` is a transaction that the store does not have yet.
    package enum State: Equatable, Sendable {
        case unclaimed
        /// Partitions of Orders are asked whether they hold the transaction; these queries are not answered yet, one
        /// at least.
        case lookingUp([PendingLookup])
        case proposed(ClaimCandidate)
        case held(Holder)
        case orphan
    }

    /// The buyer whose transaction it is, and the order that it pays for.
    package struct Holder: Equatable, Sendable {
        package let buyer: BuyerID
        package let order: OrderID

        package init(buyer: BuyerID, order: OrderID) {
            self.buyer = buyer
            self.order = order
        }
    }

    /// What happens to a claim.
    package enum Event: Equatable, Sendable {
        /// A phone handed in a proof of the transaction.
        case submitted(ClaimFacts, Submission)
        /// Apple spoke of the transaction, no phone did.
        case reported(ClaimFacts)
        /// Orders says whose it is; these submissions wait for it.
        case held(attempt: Int, by: Holder, waiting: [Submission])
        /// Orders says whose it has been for long; these submissions wait for it.
        case redriven(ClaimFacts, by: Holder, waiting: [Submission])
        /// Orders says whose it is not; this submission waits longest.
        case refused(attempt: Int, reason: ClaimRefusal, registered: BuyerID?, waiting: Submission?)
        /// An operator asks for another round.
        case retried

        /// A verified transaction, on behalf of a submission or not.
        package static func verified(_ facts: ClaimFacts, _ submission: Submission?) -> Event {
            submission.map { .submitted(facts, $0) } ?? .reported(facts)
        }

        /// What Apple says with it.
        package var facts: ClaimFacts? {
            switch self {
            case .submitted(let facts, _), .reported(let facts), .redriven(let facts, _, _):
                facts
            case .held, .refused, .retried: nil
            }
        }
    }

    /// What the shell must do, in the same transaction as the new state.
    package enum Directive: Equatable, Sendable {
        /// The facts that came with the event are the newest.
        case storeFacts
        case propose(attempt: Int, ClaimCandidate, Submission?)
        /// Asks this partition of Orders whether it holds the transaction.
        case lookUp(attempt: Int, in: Int, Submission?)
        case wait(Submission)
        /// The submission waits no longer, because it is the proposal's own now.
        case adopt(Submission)
        /// Nobody waits any longer.
        case dismissWaiters
        /// Tells Orders the newest facts.
        case restate(Holder, Submission?)
        case sendConflict(Submission)
    }

    /// Why an event cannot be; it leaves no trace.
    package enum Refusal: Error, Equatable {
        /// An answer about a transaction that was never proposed here.
        case unknownTransaction
        /// Orders gave the transaction to somebody else before.
        case heldByAnother(Holder)
    }

    package private(set) var state: State
    /// The newest thing that Apple said; nil before the first.
    package private(set) var facts: ClaimFacts?
    /// Counts the queries to Orders.
    package private(set) var attempt: Int
    /// On whose behalf the last proposal was made.
    package private(set) var proposer: Submission?
    /// Whether Apple said something newer than what the proposal carries.
    package private(set) var hasUnsentFacts: Bool
    /// Whether submissions may wait for the proposal's answer.
    package private(set) var hasWaiters: Bool

    package init(
        state: State = .unclaimed,
        facts: ClaimFacts? = nil,
        attempt: Int = 0,
        proposer: Submission? = nil,
        hasUnsentFacts: Bool = false,
        hasWaiters: Bool = false
    ) {
        self.state = state
        self.facts = facts
        self.attempt = attempt
        self.proposer = proposer
        self.hasUnsentFacts = hasUnsentFacts
        self.hasWaiters = hasWaiters
    }

    /// Applies `event` and returns what must follow from it.
    ///
    /// `forgotten` says who is asked for a claim that may be forgotten here.
    package mutating func apply(
        _ event: Event,
        _ forgotten: LookupScope = .none
    ) throws(Refusal) -> [Directive] {
        switch (state, event) {
        case (.unclaimed, .submitted(let facts, let submission)),
            (.orphan, .submitted(let facts, let submission)):
            return learn(facts) + begin(submission, forgotten)
        case (.unclaimed, .reported(let facts)), (.orphan, .reported(let facts)):
            return learn(facts) + begin(proposer, forgotten)
        case (.lookingUp, .submitted(let facts, let submission)),
            (.proposed, .submitted(let facts, let submission)):
            return note(facts) + wait(submission) + askAgain(forgotten)
        case (.lookingUp, .reported(let facts)), (.proposed, .reported(let facts)):
            return note(facts) + askAgain(forgotten)
        case (.held(let holder), .submitted(let facts, let submission)):
            let news = learn(facts)
            return news + judge([submission], by: holder, unsaid: !news.isEmpty)
        case (.held(let holder), .reported(let facts)):
            let news = learn(facts)
            return news + judge([], by: holder, unsaid: !news.isEmpty)
        case (.lookingUp, .held(let attempt, let holder, let waiting)),
            (.proposed, .held(let attempt, let holder, let waiting)):
            return take(holder, waiting, isAnswer: isOpen(attempt))
        case (.orphan, .held(_, let holder, let waiting)):
            return take(holder, waiting, isAnswer: false)
        case (.held(let known), .held(_, let holder, _)):
            guard known == holder else { throw .heldByAnother(known) }
            return []
        case (.unclaimed, .redriven(let facts, let holder, _)):
            state = .held(holder)
            return learn(facts)
        case (.lookingUp, .redriven(let facts, let holder, let waiting)),
            (.proposed, .redriven(let facts, let holder, let waiting)),
            (.orphan, .redriven(let facts, let holder, let waiting)):
            return learn(facts) + take(holder, waiting, isAnswer: false)
        case (.held(let known), .redriven(let facts, let holder, _)):
            guard known == holder else { throw .heldByAnother(known) }
            return learn(facts)
        case (.lookingUp(let open), .refused(let attempt, _, _, let waiting)):
            guard isOpen(attempt) else { return [] }
            return goOn(open.filter { $0.attempt != attempt }, waiting, forgotten)
        case (.proposed(let candidate), .refused(let attempt, let reason, let registered, let waiting)):
            guard isOpen(attempt) else { return [] }
            // Refused to an earlier owner: what followed from it then may be forgotten.
            if attempt < forgotten.firstAttempt, !forgotten.partitions.isEmpty { return lookUp(forgotten) }
            let next = candidate.next(after: reason, registered: registered, submission: proposer)
            return goOn(to: next, waiting, forgotten)
        case (.orphan, .retried):
            return begin(proposer, forgotten)
        case (.held, .refused), (.orphan, .refused), (.lookingUp, .retried), (.proposed, .retried),
            (.held, .retried):
            return []
        case (.unclaimed, .held), (.unclaimed, .refused), (.unclaimed, .retried):
            throw .unknownTransaction
        }
    }

    // MARK: Facts

    private mutating func learn(_ facts: ClaimFacts) -> [Directive] {
        guard facts.supersedes(self.facts) else { return [] }
        self.facts = facts.keeping(tokenOf: self.facts)
        return [.storeFacts]
    }

    private mutating func note(_ facts: ClaimFacts) -> [Directive] {
        let news = learn(facts)
        hasUnsentFacts = hasUnsentFacts || !news.isEmpty
        return news
    }

    // MARK: Questions

    private mutating func begin(_ submission: Submission?, _ forgotten: LookupScope) -> [Directive] {
        proposer = submission
        if !forgotten.partitions.isEmpty { return lookUp(forgotten) }
        return propose(.first(token: facts?.token, submission: submission), forgotten)
    }

    /// Whether an answer of this number is waited for.
    private func isOpen(_ attempt: Int) -> Bool {
        switch state {
        case .lookingUp(let open): open.contains { $0.attempt == attempt }
        case .proposed: attempt == self.attempt
        case .unclaimed, .held, .orphan: false
        }
    }

    private mutating func lookUp(_ forgotten: LookupScope) -> [Directive] {
        hasUnsentFacts = false
        let first = max(attempt + 1, forgotten.firstAttempt)
        let queries = forgotten.partitions.enumerated()
            .map { offset, partition in PendingLookup(to: partition, attempt: first + offset) }
        state = .lookingUp(queries)
        attempt = first + queries.count - 1
        return queries.map { .lookUp(attempt: $0.attempt, in: $0.partition, proposer) }
    }

    private mutating func propose(
        _ candidate: ClaimCandidate?,
        _ forgotten: LookupScope
    ) -> [Directive] {
        hasUnsentFacts = false
        guard let candidate else {
            state = .orphan
            return []
        }
        state = .proposed(candidate)
        attempt = max(attempt + 1, forgotten.firstAttempt)
        return [.propose(attempt: attempt, candidate, proposer)]
    }

    /// Asks once more what an earlier owner has asked: a restored store may have lost the answer, and Orders does not
    /// keep its refusals.
    private mutating func askAgain(_ forgotten: LookupScope) -> [Directive] {
        guard attempt < forgotten.firstAttempt else { return [] }
        switch state {
        case .lookingUp(let open):
            guard forgotten.partitions.isEmpty else { return lookUp(forgotten) }
            let partitions = open.map(\.partition)
            return lookUp(LookupScope(partitions: partitions, firstAttempt: forgotten.firstAttempt))
        case .proposed(let candidate): return propose(candidate, forgotten)
        case .unclaimed, .held, .orphan: return []
        }
    }

    /// Waits for the answers that are missing; when all partitions have refused, asks the candidates.
    private mutating func goOn(
        _ open: [PendingLookup],
        _ waiting: Submission?,
        _ forgotten: LookupScope
    ) -> [Directive] {
        guard open.isEmpty else {
            state = .lookingUp(open)
            return []
        }
        return goOn(to: .first(token: facts?.token, submission: proposer), waiting, forgotten)
    }

    /// Proposes the next candidate; when none is left a submission that waits brings its own, in a round of its own:
    /// before a store was restored it may have been another submission that waited.
    private mutating func goOn(
        to next: ClaimCandidate?,
        _ waiting: Submission?,
        _ forgotten: LookupScope
    ) -> [Directive] {
        guard next == nil, let waiting else { return propose(next, forgotten) }
        proposer = waiting
        let queries =
            forgotten.partitions.isEmpty ? propose(.first(of: waiting), forgotten) : lookUp(forgotten)
        return [.adopt(waiting)] + queries
    }

    private mutating func wait(_ submission: Submission) -> [Directive] {
        guard !submission.isSame(as: proposer) else { return [] }
        hasWaiters = true
        return [.wait(submission)]
    }

    // MARK: Judgement

    /// The end of all proposals.
    ///
    /// Orders sends the proposal's own submission on to the ledger if its submitter holds the transaction; an answer to
    /// another proposal may have been given for another submission and with older facts.
    private mutating func take(_ holder: Holder, _ waiting: [Submission], isAnswer: Bool) -> [Directive] {
        let own = proposer.map { isAnswer && $0.submitter == holder.buyer ? [] : [$0] } ?? []
        let judgement = judge(own + waiting, by: holder, unsaid: hasUnsentFacts || !isAnswer)
        let dismissal: [Directive] = hasWaiters ? [.dismissWaiters] : []
        state = .held(holder)
        hasUnsentFacts = false
        hasWaiters = false
        return judgement + dismissal
    }

    private func judge(_ submissions: [Submission], by holder: Holder, unsaid: Bool) -> [Directive] {
        let ofHolder = submissions.filter { $0.submitter == holder.buyer }
        let ofOthers = submissions.filter { $0.submitter != holder.buyer }
        let bare: [Directive] = unsaid && ofHolder.isEmpty ? [.restate(holder, nil)] : []
        return ofHolder.map { .restate(holder, $0) } + bare + ofOthers.map(Directive.sendConflict)
    }
}

extension Submission {
    /// Whether it is this one, with the same transaction: a receipt may name a purchase by several.
    fileprivate func isSame(as other: Submission?) -> Bool {
        receiptId == other?.receiptId && transactionId == other?.transactionId
    }
}
