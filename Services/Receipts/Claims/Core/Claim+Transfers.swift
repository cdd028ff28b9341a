import Contracts

/// How a purchase moves from one holder to another.
extension Claim {
    /// The ledger's answer to a request to take the purchase back from its holder.
    struct TransferAnswer: Equatable, Sendable {
        /// From whom it was to be taken.
        let from: BuyerID
        /// To whom it goes.
        let buyer: BuyerID
        /// Which transfer of the purchase it is.
        let transfer: Int
        let isTaken: Bool
        let cause: TransferCause
    }

    /// Whether another login has ever restored it.
    var isTransferred: Bool { transfer != Transfer() || state.holder?.transferred != nil }

    /// Whether the table of moves has a row of it; also of a move that has taken it and not given it yet.
    var mayHaveSteps: Bool { isTransferred || challenge != nil }

    /// Asks for a later period of a chain that another login restores; the holder whose ledger must be asked, once.
    ///
    /// What a hint gave while Apple was silent may be another's: it moves with no other period before Apple speaks
    /// (`followRestore`).
    mutating func follow(to buyer: BuyerID, isDecided: Bool) -> Holder? {
        let event =
            isDecided ? Transfer.Event.decided(for: buyer) : .asked(by: buyer, reading.transferHistory)
        guard case .held(let holder) = state, holder.buyer != buyer, challenge == nil,
            isDecided || !isProvisional, !isDecided || holder.payer == buyer,
            transfer.apply(event) == .applied
        else { return nil }
        return holder
    }

    /// Whose it is, if it may go by an event where a restore has moved the period before it: Apple's word may come, or
    /// Orders names the holder, and others have waited to restore it (`isRestored`).
    func mayFollowRestore(_ event: Event, isRestored: Bool) -> Holder? {
        guard transfer.state == .resting else { return nil }
        guard let holder = state.holder else { return isRestored ? event.namedHolder : nil }
        guard evidence.isAsked else { return nil }
        if event.isAnswer { return holder }
        let isWhole = facts?.isWhole == true || event.facts?.isWhole == true
        return challenge == nil && (isWhole || event.isLastWord) ? holder : nil
    }

    /// Asks for what was not held, or waited for Apple's word, while a restore moved the period before it; others are
    /// judged then.
    ///
    /// It would have gone along if it had been known whose it is, so that the 30 days do not count from that restore.
    mutating func followRestore(of holder: Holder) -> [Directive] {
        let now = Transfer.History(now: reading.transferHistory.now)
        guard let restorer = reading.restorer, restorer != holder.buyer, !awaitsApple, challenge == nil,
            transfer.apply(.asked(by: restorer, now)) == .applied
        else { return [] }
        reading.isFollowing = true
        return [.requestTransfer(from: holder, to: restorer, .restore)]
    }

    mutating func hold(_ holder: Holder) {
        state = .held(holder)
        if transfer.takenBack != nil { _ = transfer.apply(.taken(at: reading.transferHistory.now)) }
        // Of a transfer that a restored store has lost, the time is not known.
        if holder.transferred != nil { _ = transfer.apply(.taken(at: reading.transferHistory.now)) }
    }

    /// What was said of the holder of a held claim: of two the later transfer's holds it.
    ///
    /// Orders that was an older copy may have made another order for the payment: it knows its orders.
    mutating func correct(_ known: Holder, _ holder: Holder) throws(Refusal) -> [Directive] {
        if holder.transfers > known.transfers {
            // The facts that came meanwhile go to who pays now; of a restore they have gone to both.
            return move(to: holder, hasUnsentFacts: known.payer != holder.payer)
        }
        guard known.payer == holder.payer else {
            // Orders that is an older copy, or has not heard of the move yet, names who has lost it.
            guard holder.transfers < known.transfers else { throw .heldByAnother }
            return [.release(holder.order, by: known.transfers)]
        }
        let known = known.paying(holder.order)
        state = .held(known)
        guard holder.transfers < known.transfers || holder == known else { throw .heldByAnother }
        return []
    }

    mutating func keep(_ answer: TransferAnswer) -> [Directive] {
        guard answer.isTaken else { return [] }
        _ = transfer.apply(.takenBack(for: answer.buyer, transfer: answer.transfer, answer.cause))
        return [.noteTransfer(answer, losing: nil)]
    }

    mutating func conclude(_ answer: TransferAnswer, of holder: Holder) -> [Directive] {
        if answer.cause != .restore { return conclude(answer, challenging: holder) }
        if answer.isTaken {
            // Also of a move that the holder shows already: a restored claim knows none of the steps to its holder.
            let note = [Directive.noteTransfer(answer, losing: nil)]
            guard let next = holder.moved(to: answer.buyer, by: answer.transfer) else { return note }
            return note + move(to: next, hasUnsentFacts: true)
        }
        guard transfer.apply(.kept(of: answer.buyer)) == .applied else { return [] }
        let weighed = weigh()
        guard weighed.isEmpty, !isProvisional else { return weighed }
        return dismissWaiters() + reading.waiting.flatMap { judgeFinally($0) }
    }

    mutating func move(to holder: Holder, hasUnsentFacts: Bool) -> [Directive] {
        if state.holder?.payer != holder.payer { (claimants, isHandedIn) = ([], false) }
        // What was asked about an earlier holder is answered by this one.
        if case .moving(_, let transfer) = challenge, transfer > holder.transfers {} else { challenge = nil }
        hold(holder)
        return dismissWaiters() + judge(reading.waiting, by: holder, hasUnsentFacts: hasUnsentFacts)
    }
}
