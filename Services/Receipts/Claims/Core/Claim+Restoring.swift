import Contracts
import Domain

extension Claim {
    /// Where an event's claim is looked up if a restored store may lack it; the purchase time is read only if needed.
    func lookupScope(
        of event: Event,
        ownedSince: Timestamp,
        unconfirmedPartitions: [Int],
        purchasedAt: () throws -> Timestamp
    ) rethrows -> LookupScope {
        let scope = LookupScope(ownedSince: ownedSince, partitions: unconfirmedPartitions)
        switch (state, event) {
        case (.lookingUp, _): return scope
        case (.held, _), (_, .held), (_, .redriven), (_, .transferred): return .none
        case (.unclaimed, _), (.waiting, _), (.proposed, _), (.orphan, _):
            let namesOrder = (event.facts?.keeping(tokenOf: facts) ?? facts)?.namesOrder ?? false
            let tolerance =
                namesOrder
                ? LookupScope.namedClockToleranceMilliseconds : Limits.clockToleranceMilliseconds
            return try purchasedAt() < ownedSince.advanced(by: tolerance) ? scope : .none
        }
    }

    /// What is sent again after Orders was restored: pending requests, and the holder's paid order with newest facts.
    var redrive: [Directive] {
        switch state {
        case .lookingUp(let pending):
            pending.map { .lookUp(attempt: $0.attempt, in: $0.partition, proposer) }
        case .proposed(let candidate): [.propose(attempt: attempt, candidate, proposer)]
        case .held(let holder):
            [.propose(attempt: attempt, .order(holder.order), nil), .restate(holder, nil)] + weighing(holder)
        case .unclaimed, .waiting, .orphan: []
        }
    }

    /// What Orders is asked of a challenge.
    private func weighing(_ holder: Holder) -> [Directive] {
        switch challenge {
        case .asking(let candidate, let attempt): [.challenge(attempt: attempt, candidate)]
        case .moving(let newcomer, let transfer): [.moveClaim(to: newcomer, from: holder, transfer: transfer)]
        case .taking, nil: []
        }
    }
}
