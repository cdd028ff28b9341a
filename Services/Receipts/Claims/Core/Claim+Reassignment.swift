import Contracts

/// How an operator decides whose a purchase is.
///
/// Tested by: `ReassignmentTests`.
///
/// | the claim is                            | the decision                                                     |
/// |-----------------------------------------|------------------------------------------------------------------|
/// | held by the buyer                       | nothing                                                          |
/// | held by another, at rest                | moves: the ledger takes everything back, then it is the buyer's  |
/// | held by who has restored it of the buyer | moves back, as by a restore; the amounts have never left         |
/// | on its way to the buyer by a decision   | under way                                                        |
/// | on its way by a restore or a token      | refused: its end is awaited                                      |
/// | an orphan, or waiting for Apple's word  | proposed to the buyer, whose it is then whatever a token says    |
/// | looked up or proposed, by a decision for the buyer | under way                                             |
/// | looked up or proposed else              | refused: Orders' answer is awaited                               |
extension Claim {
    /// What a decision for the buyer does; nil while it cannot be taken.
    func effect(ofReassigningTo buyer: BuyerID) -> ReassignmentV1.Effect? {
        switch (state, challenge) {
        case (.held(let holder), nil) where transfer.state == .resting:
            holder.buyer == buyer ? .nothing : .moves
        case (.held(let holder), .asking): holder.buyer == buyer ? .nothing : .moves
        case (.held, .taking(let newcomer, _)), (.held, .moving(let newcomer, _)):
            newcomer.buyer == buyer && newcomer.evidence == .reassigned ? .underWay : nil
        case (.orphan, _), (.waiting, _): .proposed
        case (.lookingUp, _), (.proposed, _): claimants == [buyer] ? .underWay : nil
        case (.held, nil), (.unclaimed, _): nil
        }
    }

    /// Why it does not go to a buyer as an orphan, which one operator decides alone; nil where it does.
    ///
    /// Of what waits for Apple's word, that word says whose it is: by then it is granted, or an orphan.
    func refusal(ofAssigning effect: ReassignmentV1.Effect) -> RequestRefusal? {
        switch (effect, state) {
        case (.moves, _), (.underWay, .held): .isHeld
        case (.proposed, .waiting): .awaitsApple
        case (.proposed, _), (.underWay, _), (.nothing, _): nil
        }
    }

    mutating func reassign(to buyer: BuyerID) -> [Directive] {
        switch effect(ofReassigningTo: buyer) {
        case .moves:
            (claimants, isTokenWeighed) = ([], true)
            if case .held(let holder) = state, holder.payer == buyer {
                guard transfer.apply(.decided(for: buyer)) == .applied else { return [] }
                isDecided = true
                return [.requestTransfer(from: holder, to: buyer, .restore)]
            }
            return takeBack(for: Challenge.Newcomer(buyer: buyer, evidence: .reassigned))
        case .proposed:
            (evidence, claimants) = (.complete, [buyer])
            let waiting = waitBehind()
            // A restored store may have lost its holder; then it is decided again.
            return waiting + (mayBeHeld ? lookUp() : propose(.caller(buyer)))
        case .nothing:
            (claimants, challenge, isTokenWeighed, heldBy) = ([], nil, true, .reassigned)
            guard case .held(let holder) = state else { return [] }
            return dismissWaiters()
                + reading.waiting.map { $0.submitter == buyer ? .restate(holder, $0) : .sendConflict($0) }
        case .underWay, nil: return []
        }
    }

    /// Notes that who holds it now has it by an operator's decision.
    mutating func takeDecision(for holder: Holder) {
        guard claimants == [holder.buyer] else { return }
        (claimants, heldBy, isTokenWeighed) = ([], .reassigned, true)
    }

    /// Whoever has handed it in is judged once it is held.
    private mutating func waitBehind() -> [Directive] {
        guard let before = proposer else { return [] }
        proposer = nil
        return wait(always: before)
    }
}

extension RequestRefusal {
    static let isHeld = RequestRefusal(
        .conflict,
        "somebody holds it: `counterfoil reassign` moves what is held",
        field: "purchaseId",
        reason: "held"
    )
    static let awaitsApple = RequestRefusal(
        .conflict,
        "Apple is being asked whose it is: look again in a minute",
        field: "purchaseId",
        reason: "awaitsApple"
    )
}
