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
/// *begins*: `sought` where the claim may have been forgotten, else `proposed`, or `orphan` where nobody can be. *waits*:
/// one candidate is asked at a time, so a submission that comes meanwhile is kept and judged after `held`; that of the
/// question itself is *again*. *noted*: newer facts go to Orders after `held`. *next*: the next candidate is
/// `proposed`; when none is left a waiting submission brings more. *one fewer*: the other partitions that were asked have
/// not answered yet. *stale*: an answer to a question that is no longer out, as after another one has ended the round;
/// `sought` and `proposed` take it for the same. *again*: nothing changes and nothing is sent. —: refused.
///
/// `sought` asks partitions of Orders, all at once, whether one of them holds the transaction already
/// (`ForgottenClaims` says which and when, and what it guards against): the first that does ends the round, and when all
/// have refused the candidates follow, first the one that its token names. *recalled* is Orders' word after a store was restored; it
/// brings the facts with it and answers no question, so that whoever asked here is judged anew.
///
/// Where the claim may have been forgotten, *waits* and *noted* ask an earlier owner's question once more: its answer may
/// be lost with the store.
///
/// `held` is taken whatever its attempt: Orders says it only when it has an order paid and a grant under way, so that a
/// second proposal of the same transaction could only pay a second order.
package struct Claim: Equatable, Sendable {
    /// How far it has come; `unclaimed` is a transaction that the store does not have yet.
    package enum State: Equatable, Sendable {
        case unclaimed
        /// Partitions of Orders are asked whether they hold the transaction; these questions are not answered yet, one
        /// at least.
        case sought([OpenQuestion])
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
        case submitted(Statement, Submission)
        /// Apple spoke of the transaction, no phone did.
        case stated(Statement)
        /// Orders says whose it is; these submissions wait for it.
        case held(attempt: Int, by: Holder, waiting: [Submission])
        /// Orders says whose it has been for long; these submissions wait for it.
        case recalled(Statement, by: Holder, waiting: [Submission])
        /// Orders says whose it is not; this submission waits longest.
        case refused(attempt: Int, reason: ClaimRefusal, registered: BuyerID?, waiting: Submission?)
        /// An operator asks for another round.
        case retried

        /// A verified transaction, on behalf of a submission or not.
        package static func verified(_ statement: Statement, _ submission: Submission?) -> Event {
            submission.map { .submitted(statement, $0) } ?? .stated(statement)
        }

        /// What Apple says with it.
        package var statement: Statement? {
            switch self {
            case .submitted(let statement, _), .stated(let statement), .recalled(let statement, _, _):
                statement
            case .held, .refused, .retried: nil
            }
        }
    }

    /// What the shell must do, in the same transaction as the new state.
    package enum Directive: Equatable, Sendable {
        /// The facts that came with the event are the newest.
        case keepFacts
        case propose(attempt: Int, ClaimCandidate, Submission?)
        /// Asks this partition of Orders whether it holds the transaction.
        case seek(attempt: Int, in: Int, Submission?)
        case wait(Submission)
        /// The submission waits no longer, because it is the proposal's own now.
        case adopt(Submission)
        /// Nobody waits any longer.
        case dismissWaiters
        /// Tells Orders the newest facts.
        case restate(Holder, Submission?)
        case tellConflict(Submission)
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
    package private(set) var statement: Statement?
    /// Counts the questions to Orders.
    package private(set) var attempt: Int
    /// On whose behalf the last proposal was made.
    package private(set) var proposer: Submission?
    /// Whether Apple said something newer than what the proposal carries.
    package private(set) var isUnsaid: Bool
    /// Whether submissions may wait for the proposal's answer.
    package private(set) var isAwaited: Bool

    package init(
        state: State = .unclaimed,
        statement: Statement? = nil,
        attempt: Int = 0,
        proposer: Submission? = nil,
        isUnsaid: Bool = false,
        isAwaited: Bool = false
    ) {
        self.state = state
        self.statement = statement
        self.attempt = attempt
        self.proposer = proposer
        self.isUnsaid = isUnsaid
        self.isAwaited = isAwaited
    }

    /// Applies `event` and returns what must follow from it.
    ///
    /// `forgotten` says who is asked for a claim that may be forgotten here.
    package mutating func apply(
        _ event: Event,
        _ forgotten: ForgottenClaims = .none
    ) throws(Refusal) -> [Directive] {
        switch (state, event) {
        case (.unclaimed, .submitted(let statement, let submission)),
            (.orphan, .submitted(let statement, let submission)):
            return learn(statement) + begin(submission, forgotten)
        case (.unclaimed, .stated(let statement)), (.orphan, .stated(let statement)):
            return learn(statement) + begin(proposer, forgotten)
        case (.sought, .submitted(let statement, let submission)),
            (.proposed, .submitted(let statement, let submission)):
            return note(statement) + wait(submission) + askAgain(forgotten)
        case (.sought, .stated(let statement)), (.proposed, .stated(let statement)):
            return note(statement) + askAgain(forgotten)
        case (.held(let holder), .submitted(let statement, let submission)):
            let news = learn(statement)
            return news + judge([submission], by: holder, unsaid: !news.isEmpty)
        case (.held(let holder), .stated(let statement)):
            let news = learn(statement)
            return news + judge([], by: holder, unsaid: !news.isEmpty)
        case (.sought, .held(let attempt, let holder, let waiting)),
            (.proposed, .held(let attempt, let holder, let waiting)):
            return take(holder, waiting, isAnswer: isOpen(attempt))
        case (.orphan, .held(_, let holder, let waiting)):
            return take(holder, waiting, isAnswer: false)
        case (.held(let known), .held(_, let holder, _)):
            guard known == holder else { throw .heldByAnother(known) }
            return []
        case (.unclaimed, .recalled(let statement, let holder, _)):
            state = .held(holder)
            return learn(statement)
        case (.sought, .recalled(let statement, let holder, let waiting)),
            (.proposed, .recalled(let statement, let holder, let waiting)),
            (.orphan, .recalled(let statement, let holder, let waiting)):
            return learn(statement) + take(holder, waiting, isAnswer: false)
        case (.held(let known), .recalled(let statement, let holder, _)):
            guard known == holder else { throw .heldByAnother(known) }
            return learn(statement)
        case (.sought(let open), .refused(let attempt, _, _, let waiting)):
            guard isOpen(attempt) else { return [] }
            return goOn(open.filter { $0.attempt != attempt }, waiting, forgotten)
        case (.proposed(let candidate), .refused(let attempt, let reason, let registered, let waiting)):
            guard isOpen(attempt) else { return [] }
            // Refused to an earlier owner: what followed from it then may be forgotten.
            if attempt < forgotten.firstAttempt, !forgotten.partitions.isEmpty { return seek(forgotten) }
            let next = candidate.next(after: reason, registered: registered, submission: proposer)
            return goOn(to: next, waiting, forgotten)
        case (.orphan, .retried):
            return begin(proposer, forgotten)
        case (.held, .refused), (.orphan, .refused), (.sought, .retried), (.proposed, .retried),
            (.held, .retried):
            return []
        case (.unclaimed, .held), (.unclaimed, .refused), (.unclaimed, .retried):
            throw .unknownTransaction
        }
    }

    // MARK: Facts

    private mutating func learn(_ statement: Statement) -> [Directive] {
        guard statement.supersedes(self.statement) else { return [] }
        self.statement = statement.keeping(tokenOf: self.statement)
        return [.keepFacts]
    }

    private mutating func note(_ statement: Statement) -> [Directive] {
        let news = learn(statement)
        isUnsaid = isUnsaid || !news.isEmpty
        return news
    }

    // MARK: Questions

    private mutating func begin(_ submission: Submission?, _ forgotten: ForgottenClaims) -> [Directive] {
        proposer = submission
        if !forgotten.partitions.isEmpty { return seek(forgotten) }
        return propose(.first(token: statement?.token, submission: submission), forgotten)
    }

    /// Whether an answer of this number is waited for.
    private func isOpen(_ attempt: Int) -> Bool {
        switch state {
        case .sought(let open): open.contains { $0.attempt == attempt }
        case .proposed: attempt == self.attempt
        case .unclaimed, .held, .orphan: false
        }
    }

    private mutating func seek(_ forgotten: ForgottenClaims) -> [Directive] {
        isUnsaid = false
        let first = max(attempt + 1, forgotten.firstAttempt)
        let questions = forgotten.partitions.enumerated()
            .map { offset, partition in OpenQuestion(to: partition, attempt: first + offset) }
        state = .sought(questions)
        attempt = first + questions.count - 1
        return questions.map { .seek(attempt: $0.attempt, in: $0.partition, proposer) }
    }

    private mutating func propose(
        _ candidate: ClaimCandidate?,
        _ forgotten: ForgottenClaims
    ) -> [Directive] {
        isUnsaid = false
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
    private mutating func askAgain(_ forgotten: ForgottenClaims) -> [Directive] {
        guard attempt < forgotten.firstAttempt else { return [] }
        switch state {
        case .sought(let open):
            guard forgotten.partitions.isEmpty else { return seek(forgotten) }
            let partitions = open.map(\.partition)
            return seek(ForgottenClaims(partitions: partitions, firstAttempt: forgotten.firstAttempt))
        case .proposed(let candidate): return propose(candidate, forgotten)
        case .unclaimed, .held, .orphan: return []
        }
    }

    /// Waits for the answers that are missing; when all partitions have refused, asks the candidates.
    private mutating func goOn(
        _ open: [OpenQuestion],
        _ waiting: Submission?,
        _ forgotten: ForgottenClaims
    ) -> [Directive] {
        guard open.isEmpty else {
            state = .sought(open)
            return []
        }
        return goOn(to: .first(token: statement?.token, submission: proposer), waiting, forgotten)
    }

    /// Proposes the next candidate; when none is left a submission that waits brings its own, in a round of its own:
    /// before a store was restored it may have been another submission that waited.
    private mutating func goOn(
        to next: ClaimCandidate?,
        _ waiting: Submission?,
        _ forgotten: ForgottenClaims
    ) -> [Directive] {
        guard next == nil, let waiting else { return propose(next, forgotten) }
        proposer = waiting
        let questions =
            forgotten.partitions.isEmpty ? propose(.first(of: waiting), forgotten) : seek(forgotten)
        return [.adopt(waiting)] + questions
    }

    private mutating func wait(_ submission: Submission) -> [Directive] {
        guard !submission.isSame(as: proposer) else { return [] }
        isAwaited = true
        return [.wait(submission)]
    }

    // MARK: Judgement

    /// The end of all proposals.
    ///
    /// Orders sends the proposal's own submission on to the ledger if its submitter holds the transaction; an answer to
    /// another proposal may have been given for another submission and with older facts.
    private mutating func take(_ holder: Holder, _ waiting: [Submission], isAnswer: Bool) -> [Directive] {
        let own = proposer.map { isAnswer && $0.submitter == holder.buyer ? [] : [$0] } ?? []
        let judgement = judge(own + waiting, by: holder, unsaid: isUnsaid || !isAnswer)
        let dismissal: [Directive] = isAwaited ? [.dismissWaiters] : []
        state = .held(holder)
        isUnsaid = false
        isAwaited = false
        return judgement + dismissal
    }

    private func judge(_ submissions: [Submission], by holder: Holder, unsaid: Bool) -> [Directive] {
        let ofHolder = submissions.filter { $0.submitter == holder.buyer }
        let ofOthers = submissions.filter { $0.submitter != holder.buyer }
        let bare: [Directive] = unsaid && ofHolder.isEmpty ? [.restate(holder, nil)] : []
        return ofHolder.map { .restate(holder, $0) } + bare + ofOthers.map(Directive.tellConflict)
    }
}

extension Submission {
    /// Whether it is this one, with the same transaction: a receipt may name a purchase by several.
    fileprivate func isSame(as other: Submission?) -> Bool {
        receiptId == other?.receiptId && transactionId == other?.transactionId
    }
}
