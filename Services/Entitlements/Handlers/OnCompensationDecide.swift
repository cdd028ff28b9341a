import Contracts
import Delivery
import Domain

/// `counterfoil.compensation.decide.v1`: another operator confirms a compensation, or one takes it back.
struct OnCompensationDecide {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<CompensationDecideV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<CompensationV1> {
        let store = CompensationStore(connection: context.connection)
        let request = message.data
        guard var compensation = try store.compensation(request.proposalId) else {
            return .refused(.noSuchProposal)
        }
        if request.isDryRun == true { return .reply(compensation.answer(at: context.now)) }
        let before = compensation.content
        if request.decision == .reverse {
            try Approval.checkWithdrawal(
                by: request.operatorId,
                mayApprove: request.onlyOwn != true,
                proposedBy: before.proposedBy,
                isConfirmed: before.confirmedBy != nil
            )
        }
        let event: Compensation.Event =
            switch request.decision {
            case .confirm: .confirm(by: request.operatorId)
            case .reverse: .reverse
            }
        let effect = try compensation.apply(event, at: context.now)
        guard effect != .nothing else { return .reply(compensation.answer(at: context.now)) }
        if request.decision == .reverse { compensation.explain(request.reason) }
        if effect == .gives, try store.isGranted(before) { return .refused(.granted(before.basis)) }
        let compensations = Compensations(context, catalog)
        switch effect {
        case .gives:
            try compensations.give(compensation, because: message)
            try compensations.askApple(about: compensation)
        case .takesBack: try compensations.takeBack(compensation, endedBy: context.now, because: message)
        case .noted, .nothing: break
        }
        try compensations.save(compensation, over: before.state)
        try context.record(
            effect.act,
            of: request.proposalId.rawValue,
            by: request.operatorId,
            for: Pseudonym.of(before.buyerId, in: before.bundleId),
            because: request.reason ?? before.reason,
            from: before.state.rawValue,
            to: compensation.content.state.rawValue
        )
        return .reply(compensation.content)
    }
}

extension Compensation.Effect {
    /// What an operator has done who has brought it about.
    fileprivate var act: Act.Kind {
        switch self {
        case .gives: .compensationConfirmed
        case .takesBack: .compensationReversed
        case .noted, .nothing: .compensationWithdrawn
        }
    }
}
