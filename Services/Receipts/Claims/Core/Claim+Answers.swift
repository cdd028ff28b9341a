import Contracts

/// What Orders, a ledger or an operator says of a purchase.
///
/// Tested by: `ClaimTableTests`, `ClaimTests`.
///
/// | from \ event | held                                                                        | redriven                                                                    | refused                                                                                | answered                     | transferred                                 | reassigned                 |
/// |--------------|-----------------------------------------------------------------------------|-----------------------------------------------------------------------------|----------------------------------------------------------------------------------------|------------------------------|---------------------------------------------|----------------------------|
/// | unclaimed    | refused                                                                     | `held`                                                                      | refused                                                                                | refused                      | `orphan`, kept; refused if it was not taken | refused                    |
/// | waiting      | `held`                                                                      | `held`                                                                      | stays                                                                                  | stays                        | stays, kept                                 | `lookingUp` or `proposed`  |
/// | lookingUp    | `held`                                                                      | `held`                                                                      | stays; after the last answer *begins*                                                  | stays                        | stays, kept                                 | stays                      |
/// | proposed     | `held`                                                                      | `held`                                                                      | stays if it is late; the next candidate is `proposed`, else *begins* for whoever waits | stays                        | stays, kept                                 | stays                      |
/// | held         | stays, or `held` by the later transfer's holder; refused if it is another's | stays, or `held` by the later transfer's holder; refused if it is another's | stays                                                                                  | stays: the challenge goes on | stays, or `held` by whom it was taken for   | stays: the ledger is asked |
/// | orphan       | `held`                                                                      | `held`                                                                      | stays                                                                                  | stays                        | stays, kept                                 | `lookingUp` or `proposed`  |
///
/// Once it is held, the submissions that wait are judged. `held` applies whatever its attempt: Orders sends it only
/// when an order is paid and a grant under way, so a second proposal of the same transaction could only pay a second
/// order. *redriven* is sent by Orders after a store was restored; it carries the facts and answers no request.
///
/// *kept*: the ledger has taken it back from a holder who is not known here yet, as in a restored store: as soon as it
/// is held, it moves. What the ledger has not taken changes nothing.
extension Claim {
    mutating func applyHeld(_ attempt: Int, _ holder: Holder) throws(Refusal) -> [Directive] {
        switch state {
        case .unclaimed: throw .unknownTransaction
        case .waiting, .orphan: return endProposals(holder, isAnswer: false)
        case .lookingUp, .proposed: return endProposals(holder, isAnswer: isPending(attempt))
        case .held(let known): return try correct(known, holder)
        }
    }

    mutating func applyRedriven(_ facts: ClaimFacts, _ holder: Holder) throws(Refusal) -> [Directive] {
        switch state {
        case .unclaimed: return recall(holder) + update(facts)
        case .waiting, .lookingUp, .proposed, .orphan:
            return update(facts) + endProposals(holder, isAnswer: false)
        case .held(let known):
            let directives = try correct(known, holder)
            return update(facts) + directives
        }
    }

    /// Of a claim that was lost with its store it is not known whether the holder's phone has handed it in.
    private mutating func recall(_ holder: Holder) -> [Directive] {
        hold(holder)
        isHandedIn = true
        return []
    }

    mutating func applyRefused(
        _ attempt: Int,
        _ reason: ClaimRefusal,
        _ registered: BuyerID?
    ) throws(Refusal) -> [Directive] {
        switch state {
        case .unclaimed: throw .unknownTransaction
        case .lookingUp(let pending):
            guard isPending(attempt) else { return [] }
            return goOn(pending.filter { $0.attempt != attempt })
        case .proposed(let candidate):
            guard isPending(attempt) else { return [] }
            // An earlier owner's request was refused: its effects may be lost.
            if attempt < reading.scope.firstAttempt, mayBeHeld { return lookUp() }
            if awaitsApple { return goOnNaming() }
            return goOn(to: next(after: candidate, reason, registered))
        case .waiting, .held, .orphan: return []
        }
    }

    mutating func applyAnswered(
        _ attempt: Int,
        _ buyer: BuyerID?,
        _ order: OrderID?
    ) throws(Refusal) -> [Directive] {
        switch state {
        case .unclaimed: throw .unknownTransaction
        case .held(let holder): return conclude(attempt, buyer, order, challenging: holder)
        case .waiting, .lookingUp, .proposed, .orphan: return []
        }
    }

    /// The ledger's answer, which a restored store may hear before it knows a holder.
    mutating func applyTransferred(
        _ facts: ClaimFacts,
        _ answer: TransferAnswer
    ) throws(Refusal) -> [Directive] {
        switch state {
        case .unclaimed:
            guard answer.isTaken else { throw .unknownTransaction }
            state = .orphan
            return update(facts) + keep(answer)
        case .waiting, .lookingUp, .proposed, .orphan: return keep(answer)
        case .held(let holder): return conclude(answer, of: holder)
        }
    }

    mutating func applyReassigned(to buyer: BuyerID) throws(Refusal) -> [Directive] {
        switch state {
        case .unclaimed: throw .unknownTransaction
        case .lookingUp, .proposed: return []
        case .waiting, .held, .orphan: return reassign(to: buyer)
        }
    }
}
