import Contracts

/// How a purchase moves from one holder to another.
extension Claim {
    /// Asks for a later period of a chain that another login restores; the holder whose ledger must be asked, once.
    mutating func follow(to buyer: BuyerID) -> Holder? {
        guard case .held(let holder) = state, holder.buyer != buyer,
            transfer.apply(.asked(by: buyer, transferHistory)) == .applied
        else { return nil }
        return holder
    }

    mutating func hold(_ holder: Holder) {
        state = .held(holder)
        // Of a transfer that a restored store has lost, the time is not known.
        if holder.transferred != nil { _ = transfer.apply(.taken(at: transferHistory.now)) }
    }

    /// What was said of the holder of a held claim: of two the later transfer's holds it.
    ///
    /// Orders that was an older copy may have made another order for the payment: it knows its orders.
    mutating func correct(
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
    mutating func take(
        _ answer: TransferAnswer,
        _ facts: ClaimFacts,
        _ waiting: [Submission]
    ) throws(Refusal) -> [Directive] {
        switch state {
        case .held(let holder): return conclude(answer, of: holder, waiting)
        case .waiting, .lookingUp, .proposed, .orphan: return keep(answer)
        case .unclaimed:
            guard answer.isTaken else { throw .unknownTransaction }
            state = .orphan
            return update(facts) + keep(answer)
        }
    }

    mutating func keep(_ answer: TransferAnswer) -> [Directive] {
        guard answer.isTaken else { return [] }
        _ = transfer.apply(.settled(for: answer.buyer, transfer: answer.transfer))
        return [.noteTransfer(answer)]
    }

    mutating func conclude(
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

    mutating func move(
        to holder: Holder,
        _ waiting: [Submission],
        hasUnsentFacts: Bool
    ) -> [Directive] {
        hold(holder)
        return dismissWaiters() + judge(waiting, by: holder, hasUnsentFacts: hasUnsentFacts)
    }
}
