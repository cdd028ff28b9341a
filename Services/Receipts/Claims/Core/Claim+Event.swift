import Contracts

extension Claim {
    enum Event: Equatable, Sendable {
        case submitted(ClaimFacts, Submission)
        /// Apple states the transaction, and no submission does.
        case statedByApple(ClaimFacts)
        /// Orders names the holder; these submissions wait for the answer.
        case held(attempt: Int, by: Holder, waiting: [Submission])
        /// Orders names the holder again after a store was restored; these submissions wait for an answer.
        case redriven(ClaimFacts, by: Holder, waiting: [Submission])
        /// Orders refuses the candidate; these submissions wait, the longest first.
        case refused(attempt: Int, reason: ClaimRefusal, registered: BuyerID?, waiting: [Submission])
        /// A time has come at which something is done about missing evidence; `isUnanswered` says whether Apple has
        /// been asked about this purchase and leaves that unanswered, `askingAt` when it is asked the next time.
        case evidenceDue(waiting: [Submission], isUnanswered: Bool, askingAt: Timestamp? = nil)
        /// Apple's history says nothing of it, so that Apple is asked about it alone.
        case evidenceMissing(waiting: [Submission])
        /// Apple has said all that it knows; these submissions wait for that beside the holder, and are judged.
        case evidenceCompleted(waiting: [Submission])
        /// An operator gives it to this buyer; these submissions wait.
        case reassigned(to: BuyerID, waiting: [Submission])
        /// Orders names the buyer, and perhaps the order, of a challenge; these submissions wait for that.
        case answered(attempt: Int, buyer: BuyerID?, order: OrderID?, waiting: [Submission])
        case retried
        /// The ledger answers whether it has taken the purchase back; these submissions wait for that.
        case transferred(ClaimFacts, TransferAnswer, waiting: [Submission])
    }

    /// What the caller must do in the same transaction as the new state.
    enum Directive: Equatable, Sendable {
        /// The event's facts are the newest.
        case storeFacts
        case propose(attempt: Int, ClaimCandidate, Submission?)
        case lookUp(attempt: Int, in: Int, Submission?)
        /// Apple is to be asked about this purchase alone.
        case askApple(AppleQuery.Urgency)
        case wait(Submission)
        /// The submission stops waiting; the proposal is made on its behalf.
        case adopt(Submission)
        case dismissWaiters
        case restate(Holder, Submission?)
        case sendConflict(Submission)
        /// The submission waits for an operator: what it shows came too late.
        case sendParked(Submission)
        /// Orders is asked whom the candidate names; it pays nothing.
        case challenge(attempt: Int, ClaimCandidate)
        /// The ledger of `from` must take it back for this buyer, with the later periods of its chain that `from`
        /// holds.
        case requestTransfer(from: Holder, to: BuyerID, TransferCause)
        /// The ledger has taken it back; of a challenge, the order that it paid loses it.
        case noteTransfer(TransferAnswer, losing: OrderID?)
        /// An older copy of Orders has paid this order with it once more.
        case release(OrderID, by: Int)
        /// It pays an order of the newcomer, and no longer that of its holder.
        case moveClaim(to: Challenge.Newcomer, from: Holder, transfer: Int)
    }

    enum Refusal: String, Error, Equatable {
        /// An answer about a transaction that was never proposed here.
        case unknownTransaction
        case heldByAnother
    }
}

extension Claim.Event {
    static func verified(_ facts: TransactionFacts, _ submission: Submission?) -> Claim.Event {
        guard var submission else { return .statedByApple(ClaimFacts(facts)) }
        submission.transactionId = facts.nameInSubmissions
        // Nobody restores what another login has bought.
        if !facts.mayBeTransferable || submission.isForAnother == true { submission.intent = nil }
        return .submitted(ClaimFacts(facts), submission)
    }

    var facts: ClaimFacts? {
        switch self {
        case .submitted(let facts, _), .statedByApple(let facts), .redriven(let facts, _, _),
            .transferred(let facts, _, _):
            facts
        case .held, .refused, .retried, .evidenceDue, .evidenceMissing, .evidenceCompleted, .answered,
            .reassigned:
            nil
        }
    }

    /// The submissions that it brings, or that wait for it.
    var submissions: [Submission] {
        if case .submitted(_, let submission) = self { [submission] } else { waiting }
    }

    /// The submissions that wait for it.
    var waiting: [Submission] {
        switch self {
        case .held(_, _, let waiting), .redriven(_, _, let waiting), .transferred(_, _, let waiting),
            .refused(_, _, _, let waiting), .evidenceDue(let waiting, _, _), .evidenceMissing(let waiting),
            .answered(_, _, _, let waiting), .reassigned(_, let waiting), .evidenceCompleted(let waiting):
            waiting
        case .submitted, .statedByApple, .retried: []
        }
    }

    /// To whom the ledger does not give it.
    var refusedBuyer: BuyerID? {
        if case .transferred(_, let answer, _) = self, !answer.isTaken { answer.buyer } else { nil }
    }

    /// Whom Orders names as the holder.
    var namedHolder: Claim.Holder? {
        switch self {
        case .held(_, let holder, _), .redriven(_, let holder, _): holder
        case .submitted, .statedByApple, .refused, .retried, .transferred, .evidenceDue, .evidenceMissing,
            .evidenceCompleted, .answered, .reassigned:
            nil
        }
    }

    /// Whether Orders has said whom a challenge names.
    var isAnswer: Bool { if case .answered = self { true } else { false } }

    /// Whether Apple has said all that it knows.
    var isLastWord: Bool { if case .evidenceCompleted = self { true } else { false } }

    /// Whether a candidate was refused.
    var isRefusal: Bool { if case .refused = self { true } else { false } }

    /// Whether it says whose the purchase is, or that it is nobody's, which may tell whose other periods of its chain
    /// are.
    var decidesHolder: Bool {
        switch self {
        case .held, .redriven, .refused, .transferred, .evidenceCompleted: true
        case .submitted, .statedByApple, .retried, .evidenceDue, .evidenceMissing, .answered, .reassigned:
            false
        }
    }
}

extension TransactionFacts {
    /// What a submission calls the purchase; nil where that is the purchase's own id.
    var nameInSubmissions: TransactionID? {
        PurchaseID(transactionId) == purchaseId ? nil : transactionId
    }
}
