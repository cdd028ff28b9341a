import Contracts

/// How a held purchase is weighed anew (`Challenge`).
extension Claim {
    /// Most buyers who are parked: more logins than a fraudster makes.
    ///
    /// Who comes later has a conflict, unless a token names them.
    static let maximumClaimants = 1_000

    /// Asks whom a signed token names about which nobody was asked.
    ///
    /// A renewal that a hint has given to somebody goes to whom Apple's word has given the period before it, and so
    /// does what somebody has with its chain or with a replaced one, each time that Apple's word changes that.
    /// A renewal that a named order has got while Apple was silent goes to whom it would have gone otherwise.
    mutating func weigh() -> [Directive] {
        guard case .held(let holder) = state, challenge == nil, transfer.state == .resting else { return [] }
        if let before = reading.signedForerunner, before != holder.buyer, goesWithForerunner,
            holder.transferred == nil || !reading.isRestored && holder.payer == holder.buyer,
            !(isTokenWeighed && claimants.contains(before))
        {
            return takeBack(for: Challenge.Newcomer(buyer: before, evidence: .holder))
        }
        if let buyer = passedOver, buyer != holder.buyer, holder.transferred == nil,
            !claimants.contains(buyer)
        {
            return takeBack(for: Challenge.Newcomer(buyer: buyer, evidence: .holder))
        }
        guard let token = tokenToWeigh else { return [] }
        // What a restore or an operator has moved stays moved.
        guard holder.transferred == nil, heldBy?.isFinal != true else {
            isTokenWeighed = true
            return []
        }
        return ask(.token(token))
    }

    /// The token of a deed about which nobody was asked.
    private var tokenToWeigh: String? {
        guard !isTokenWeighed, reading.isDeed, facts?.isShared != true else { return nil }
        return facts?.token
    }

    /// Who has the chain of a renewal and comes before a named order, which has got it while Apple was silent.
    private var passedOver: BuyerID? {
        guard evidence.isAsked, !awaitsApple, heldBy == .order, tokenToWeigh == nil, reading.restorer == nil,
            let chain = reading.chain, chain.isRenewal
        else { return nil }
        return chain.buyer
    }

    /// Ends the wait for Apple's word once that is weighed, and nobody waits beside the holder for it.
    ///
    /// It goes on while it is being asked who has the chain of a renewal.
    mutating func endWait() {
        guard state.holder != nil, evidence.isAsked, !awaitsApple, challenge == nil else { return }
        let isChainOpen = heldBy == .order && reading.chain?.isRenewal == true && reading.chain?.buyer == nil
        if !isChainOpen, !hasWaiters || isBusy { evidence = .complete }
    }

    /// Whether a token is to be weighed once it is known what becomes of a restore.
    var isTokenPending: Bool {
        guard case .held(let holder) = state, transfer.state != .resting else { return false }
        return tokenToWeigh != nil && holder.transferred == nil && heldBy?.isFinal != true
    }

    /// Whether the holder has it by no more than a hint, or with the chain.
    private var isUnsigned: Bool { heldBy == .caller || heldBy == .order || heldBy == .holder }

    /// Whether it belongs to whoever has the period before it: a renewal that a hint has given to somebody, or what
    /// somebody has with its chain, or with the one that it replaces.
    private var goesWithForerunner: Bool {
        if isUnsigned, !reading.isDeed { return true }
        guard tokenToWeigh == nil else { return false }
        return heldBy == .holder || heldBy == .caller && !isHandedIn
    }

    private mutating func ask(_ candidate: ClaimCandidate) -> [Directive] {
        attempt = max(attempt + 1, reading.firstAttempt)
        challenge = .asking(candidate, attempt: attempt)
        return [.challenge(attempt: attempt, candidate)]
    }

    /// Asks again what an earlier owner has asked: a restored store may lack the answer, and Orders does not store it.
    mutating func repeatChallenge() -> [Directive] {
        guard case .asking(let candidate, let attempt) = challenge, attempt < reading.firstAttempt else {
            return []
        }
        return ask(candidate)
    }

    /// Judges a submission of another buyer that names an order; nil where the holder is not weighed against it.
    mutating func weigh(_ submission: Submission, beside holder: Holder) -> [Directive]? {
        guard reading.firmness != .firm, challenge == nil, transfer.state == .resting,
            let order = submission.hintedOrder, order != holder.order, facts?.isShared != true
        else { return nil }
        return wait(always: submission) + ask(.order(order))
    }

    /// Asks about an order of the holder's, who has it by less.
    mutating func weighOwn(_ submissions: [Submission], of holder: Holder) -> [Directive] {
        guard heldBy == .caller, holder.transferred == nil, challenge == nil, transfer.state == .resting,
            facts?.isShared != true, let order = submissions.lazy.compactMap(\.hintedOrder).first
        else { return [] }
        return ask(.order(order))
    }

    /// Orders has said whom a token or an order names.
    mutating func conclude(
        _ answered: Int,
        _ buyer: BuyerID?,
        _ order: OrderID?,
        challenging holder: Holder
    ) -> [Directive] {
        guard case .asking(let candidate, answered) = challenge else { return [] }
        challenge = nil
        let isToken = candidate.isToken
        if isToken { isTokenWeighed = true }
        guard let buyer, buyer != holder.buyer else {
            if buyer != nil { heldBy = isToken ? .token : .order }
            return judgeWaiting(after: candidate, by: holder)
        }
        if !isToken, reading.firmness != .open {
            if reading.firmness == .weak { park(buyer, isSigned: false) }
            return judgeWaiting(after: candidate, by: holder)
        }
        let evidence: HolderEvidence = isToken ? .token : .order
        let directives = takeBack(for: Challenge.Newcomer(buyer: buyer, order: order, evidence: evidence))
        // It may have turned out to be shared meanwhile: then nobody takes it, and who waits is judged.
        return directives.isEmpty ? judgeWaiting(after: candidate, by: holder) : directives
    }

    private mutating func park(_ buyer: BuyerID, isSigned: Bool) {
        if isSigned {
            claimants.removeAll { $0 == buyer }
            claimants.insert(buyer, at: 0)
        } else if !claimants.contains(buyer), claimants.count < Self.maximumClaimants {
            claimants.append(buyer)
        }
    }

    /// Has the ledgers that may have some of it take it back, one after the other.
    mutating func takeBack(for newcomer: Challenge.Newcomer) -> [Directive] {
        guard case .held(let holder) = state, facts?.isShared != true || newcomer.evidence == .reassigned
        else { return [] }
        return takeBack(for: newcomer, from: newcomer.ledgers(of: holder), holder)
    }

    private mutating func takeBack(
        for newcomer: Challenge.Newcomer,
        from ledgers: [BuyerID],
        _ holder: Holder
    ) -> [Directive] {
        challenge = .taking(newcomer, from: ledgers)
        guard let next = ledgers.first else { return [] }
        let former = Holder(buyer: next, order: holder.order, transferred: holder.transferred)
        return [.requestTransfer(from: former, to: newcomer.buyer, newcomer.cause)]
    }

    /// The ledger's answer to a challenge.
    mutating func conclude(_ answer: TransferAnswer, challenging holder: Holder) -> [Directive] {
        guard case .taking(let newcomer, let ledgers) = challenge, newcomer.buyer == answer.buyer else {
            return answer.isTaken ? move(by: answer, from: holder) : []
        }
        guard ledgers.first == answer.from else { return [] }
        if answer.isTaken {
            if ledgers.count == 1 { return move(by: answer, from: holder) }
            return takeBack(for: newcomer, from: Array(ledgers.dropFirst()), holder)
        }
        challenge = nil
        // It gave amounts: whom Apple's word names is not asked for again.
        if newcomer.evidence != .order { isTokenWeighed = true }
        park(newcomer.buyer, isSigned: newcomer.evidence != .order)
        return judgeWaiting(after: newcomer.order.map(ClaimCandidate.order), by: holder)
    }

    /// Goes on with what the ledger had taken back before the holder was known here.
    mutating func goOn(
        moving taken: (buyer: BuyerID, transfer: Int, cause: TransferCause),
        from holder: Holder
    ) -> [Directive] {
        guard taken.cause != .restore else { return [] }
        return move(
            by: TransferAnswer(
                from: holder.payer,
                buyer: taken.buyer,
                transfer: taken.transfer,
                isTaken: true,
                cause: taken.cause
            ),
            from: holder
        )
    }

    /// The ledger has taken it back: it pays the newcomer's order, and no longer that of the holder.
    private mutating func move(by answer: TransferAnswer, from holder: Holder) -> [Directive] {
        let isHolders = answer.from == holder.buyer
        guard answer.transfer > holder.transfers else {
            return isHolders || answer.from != holder.payer ? [.noteTransfer(answer, losing: nil)] : []
        }
        let newcomer: Challenge.Newcomer
        switch challenge {
        case .taking(let known, _) where known.buyer == answer.buyer: newcomer = known
        case .moving(let known, let transfer)
        where known.buyer == answer.buyer && transfer >= answer.transfer:
            return isHolders ? [.noteTransfer(answer, losing: holder.order)] : []
        // A restored claim knows nothing of what it has asked.
        case .taking, .moving, .asking, nil:
            newcomer = Challenge.Newcomer(
                buyer: answer.buyer,
                evidence: answer.cause == .reassign ? .reassigned : .token
            )
            // Nor whether the holder's ledger has been asked after that of who paid.
            if !isHolders, answer.from == holder.payer { return takeBack(for: newcomer) }
        }
        challenge = .moving(newcomer, transfer: answer.transfer)
        return [
            .noteTransfer(answer, losing: holder.order),
            .moveClaim(to: newcomer, from: holder, transfer: answer.transfer),
        ]
    }

    /// Judges what has waited for the answer about `candidate`, unless something else is to be weighed first.
    ///
    /// Each order is asked about once, because whoever named it is judged then; so no two of them ask for ever.
    mutating func judgeWaiting(after candidate: ClaimCandidate?, by holder: Holder) -> [Directive] {
        let weighed = weigh()
        guard weighed.isEmpty else { return weighed }
        var directives = dismissWaiters() + followRestore(of: holder)
        for submission in reading.waiting {
            let isHolders = submission.submitter == holder.buyer
            let isAnswered = submission.hintedOrder.map(ClaimCandidate.order) == candidate
            if isHolders {
                directives += [.restate(holder, submission)]
            } else if isAnswered || claimants.contains(submission.submitter), challenge == nil, !isProvisional
            {
                directives += judgeRestore(submission, beside: holder)
            } else {
                directives += judge(submission, beside: holder)
            }
        }
        return directives
    }

    /// The verdict for a login that does not hold it, and that moves nothing.
    ///
    /// A parked one goes on waiting, so that it is judged when an operator has decided.
    mutating func judgeFinally(_ submission: Submission) -> [Directive] {
        guard claimants.contains(submission.submitter) else { return [.sendConflict(submission)] }
        var submission = submission
        // A restore that moves nothing now is over: a later one needs a proof that is fresh then.
        if submission.intent == .restore { submission.intent = .staleRestore }
        return wait(always: submission) + [.sendParked(submission)]
    }

    // MARK: What must be known before an event

    /// Whether an event may have a token weighed, so that the chain must be known; only what is held then is weighed.
    func mayWeigh(_ event: Event) -> Bool {
        let isHeld = state.holder != nil
        let isWeighed =
            switch event {
            case .held, .redriven: true
            case .answered, .transferred: isHeld
            case .submitted, .statedByApple, .refused, .retried, .evidenceDue, .evidenceMissing,
                .evidenceCompleted, .reassigned:
                isHeld && challenge == nil
            }
        guard isWeighed else { return false }
        return isUnsigned || !isTokenWeighed && (facts?.token ?? event.facts?.token) != nil
    }

    /// Whether it is being asked whose it is by its own token, or that buyer is getting it.
    var isLeavingByToken: Bool {
        switch challenge {
        case .asking(let candidate, _): candidate.isToken
        case .taking(let newcomer, _), .moving(let newcomer, _): newcomer.evidence == .token
        case nil: false
        }
    }

    /// Whether it may go with the period before it: what a hint asks does not keep it.
    var mayFollow: Bool {
        switch challenge {
        case .asking(let candidate, _): !candidate.isToken
        case nil: true
        case .taking, .moving: false
        }
    }

    /// Whether it is on its way to another holder, or it is being asked whether it should be.
    var isBusy: Bool { challenge != nil || transfer.state != .resting }

    /// Whether it is held, and Apple's word or a challenge may still make it another buyer's.
    var isUndecided: Bool { isProvisional || state.holder != nil && challenge != nil }

    /// Whether an event may bring an order against the holder, so that it must be known how firmly that one holds.
    ///
    /// What the holder has handed in is not weighed, as most is: a statement is read from the store for the others
    /// alone.
    func needsFirmness(_ event: Event) -> Bool {
        let holder: BuyerID?
        switch event {
        case .answered: return true
        case .held(_, let named, _), .redriven(_, let named, _):
            // A restore that the ledger has answered may make it another's.
            holder = transfer.takenBack == nil ? named.buyer : nil
        case .submitted, .transferred, .evidenceCompleted:
            guard let known = state.holder else { return false }
            if case .submitted = event { holder = known.buyer } else { holder = nil }
        case .refused, .evidenceDue, .evidenceMissing, .reassigned, .statedByApple, .retried: return false
        }
        return (event.submissions + [proposer].compactMap(\.self))
            .contains { $0.hintedOrder != nil && $0.submitter != holder }
    }
}

extension Challenge.Newcomer {
    /// Whose ledgers have some of it: the amounts of what a restore has moved are still with who paid.
    func ledgers(of holder: Claim.Holder) -> [BuyerID] {
        guard evidence == .reassigned, holder.payer != holder.buyer else { return [holder.buyer] }
        return [holder.payer, holder.buyer]
    }
}

extension HolderEvidence {
    /// Whether no token can say otherwise any more.
    var isFinal: Bool {
        switch self {
        case .token, .registered, .reassigned: true
        case .order, .holder, .caller, .known: false
        }
    }
}

extension ClaimCandidate {
    var isToken: Bool { if case .token = self { true } else { false } }
}
