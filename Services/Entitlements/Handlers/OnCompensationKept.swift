import Contracts
import Delivery
import Domain

/// `counterfoil.compensation.kept.v1`: a ledger that was put back from a backup learns of a compensation again.
struct OnCompensationKept {
    let catalog: Catalog

    func callAsFunction(_ message: Event<CompensationKeptV1>, in context: HandlerContext) throws -> Outcome {
        let (kept, store) = (message.data.compensation, CompensationStore(connection: context.connection))
        let compensations = Compensations(context, catalog)
        let known = try store.compensation(kept.proposalId)
        guard let restoring = CompensationRestoring(of: known?.content.state, keptAs: kept.state) else {
            return .applied
        }
        let granted = known.flatMap { $0.content.state == .granted ? $0 : nil }
        let compensation = granted ?? Compensation(kept).asGranted
        if restoring.isGiven {
            let isGiven = try restore(compensation, over: known, because: message, in: context)
            guard isGiven else { return .applied }
        }
        switch restoring.ending {
        case .takenBack:
            var ended = compensation
            let endedAt = kept.endedAt ?? context.now
            _ = try ended.apply(.reverse, at: endedAt)
            ended.explain(kept.endedReason)
            try compensations.takeBack(ended, endedBy: endedAt, because: message)
            try compensations.save(ended, over: .granted)
        case .matched:
            let purchases = try kept.purchaseId.map { [$0] } ?? store.purchases(of: kept.basis, kept.buyer)
            try compensations.match(compensation, with: purchases, because: message)
        }
        return .applied
    }

    /// Whether it was given again; not where another one stands on its order by now, of which an alarm tells.
    private func restore(
        _ compensation: Compensation,
        over known: Compensation?,
        because message: Event<CompensationKeptV1>,
        in context: HandlerContext
    ) throws -> Bool {
        let store = CompensationStore(connection: context.connection)
        let (content, compensations) = (compensation.content, Compensations(context, catalog))
        if known == nil, var other = try store.current(on: content.basis, content.buyer) {
            guard other.givesWay else {
                let text =
                    "\(content.proposalId) was granted before the restore, and \(other.content.proposalId) is"
                context.alarm(.compensationContested, text)
                return false
            }
            _ = try other.apply(.reverse, at: context.now)
            try store.save(other, over: .proposed)
        }
        if known == nil { try store.add(compensation) } else { try store.save(compensation, over: .proposed) }
        try compensations.giveAgain(compensation, because: message)
        try compensations.askApple(about: compensation)
        try context.record(
            .compensationRestored,
            of: content.proposalId.rawValue,
            by: nil,
            for: Pseudonym.of(content.buyerId, in: content.bundleId),
            because: "a backup was put back",
            from: known?.content.state.rawValue ?? "-",
            to: content.state.rawValue
        )
        return true
    }
}

extension CompensationV1 {
    fileprivate var buyer: BuyerKey { BuyerKey(bundleId, buyerId, environment) }
}
