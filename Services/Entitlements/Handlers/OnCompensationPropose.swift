import Contracts
import Delivery
import Domain

/// `counterfoil.compensation.propose.v1`: an operator proposes to give a buyer goods without a proven payment.
struct OnCompensationPropose {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<CompensationProposeV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<CompensationV1> {
        let store = CompensationStore(connection: context.connection)
        let request = message.data
        if let known = try store.compensation(request.proposalId) {
            let same = CompensationV1(request, at: known.content.proposedAt)
            guard known.content.isProposal(same) else { return .refused(.changedProposal) }
            return .reply(known.answer(at: context.now))
        }
        let compensation = Compensation(CompensationV1(request, at: context.now))
        let buyer = BuyerKey(request.bundleId, request.buyerId, request.environment)
        if try store.isGranted(compensation.content) { return .refused(.granted(request.basis)) }
        let compensations = Compensations(context, catalog)
        _ = try compensations.check(compensation)
        if var current = try store.current(on: request.basis, buyer) {
            guard !current.stands(at: context.now) else { return .refused(.compensated(request.basis)) }
            let before = current.content.state
            _ = try current.apply(.reverse, at: context.now)
            try store.save(current, over: before)
            try context.record(
                .compensationExpired,
                of: current.content.proposalId.rawValue,
                by: nil,
                for: Pseudonym.of(current.content.buyerId, in: current.content.bundleId),
                because: "nobody has confirmed it within 7 days",
                from: before.rawValue,
                to: current.content.state.rawValue
            )
        }
        try store.add(compensation)
        try compensations.askApple(about: compensation)
        try context.record(
            .compensationProposed,
            of: request.proposalId.rawValue,
            by: request.operatorId,
            for: Pseudonym.of(request.buyerId, in: request.bundleId),
            because: request.reason,
            from: "-",
            to: "\(request.quantity) × \(request.productId)"
        )
        return .reply(compensation.content)
    }
}

extension CompensationV1 {
    /// Whether both were proposed with the same content.
    fileprivate func isProposal(_ other: CompensationV1) -> Bool {
        var own = self
        (own.state, own.confirmedBy, own.confirmedAt, own.endedAt, own.purchaseId) = (
            other.state, nil, nil, nil, nil
        )
        own.endedReason = nil
        // Apple may have named them meanwhile.
        if other.basis.transactionIds == nil { own.basis.transactionIds = nil }
        return own == other
    }
}
