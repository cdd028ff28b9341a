import Contracts
import Delivery
import Domain

/// `counterfoil.compensation.kept.v1`: a ledger that was put back from a backup learns of a compensation again.
///
/// | the ledger has it as \ it was kept as | granted | reversed               | matched                             |
/// |----------------------------------------|---------|------------------------|-------------------------------------|
/// | nothing, or proposed                   | given   | given, then taken back | given; its purchase takes its place |
/// | granted                                | nothing | taken back             | its purchase takes its place        |
/// | reversed, matched, void                | nothing | nothing                | nothing                             |
///
/// A purchase that has not come back yet takes the place when it does.
struct OnCompensationKept {
    let catalog: Catalog

    func callAsFunction(_ message: Event<CompensationKeptV1>, in context: HandlerContext) throws -> Outcome {
        let (kept, store) = (message.data.compensation, CompensationStore(connection: context.connection))
        let compensations = Compensations(context, catalog)
        let known = try store.compensation(kept.proposalId)
        let compensation: Compensation
        switch known?.content.state {
        case .reversed, .matched, .void: return .applied
        case .granted: compensation = known ?? Compensation(kept).asGranted
        case .proposed, nil:
            compensation = Compensation(kept).asGranted
            guard try restore(compensation, over: known, because: message, in: context) else {
                return .applied
            }
        }
        switch kept.state {
        case .reversed:
            var ended = compensation
            let endedAt = kept.endedAt ?? context.now
            _ = try ended.apply(.reverse, at: endedAt)
            try compensations.takeBack(ended, endedBy: endedAt, because: message)
            try compensations.save(ended, over: .granted)
        case .proposed, .granted, .matched, .void:
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
            guard other.content.state == .proposed else {
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

extension Compensation {
    /// As it was before it ended.
    fileprivate var asGranted: Compensation {
        var content = content
        (content.state, content.endedAt, content.purchaseId) = (.granted, nil, nil)
        return Compensation(content)
    }
}

extension CompensationV1 {
    fileprivate var buyer: BuyerKey { BuyerKey(bundleId, buyerId, environment) }
}
