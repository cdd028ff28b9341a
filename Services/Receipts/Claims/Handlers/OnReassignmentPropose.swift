import Contracts
import Delivery
import Domain

/// `counterfoil.reassignment.propose.v1`: an operator proposes that a purchase goes from its holder to another buyer.
struct OnReassignmentPropose {
    func callAsFunction(
        _ message: Event<ReassignmentProposeV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReassignmentProposalV1> {
        let (request, store) = (message.data, ReassignmentStore(connection: context.connection))
        let known = try store.proposal(request.proposalId)
        if let known, !known.isProposed(by: request) { return .refused(.changedProposal) }
        if let known { return .reply(known) }
        let reassignments = Reassignments(context)
        let record = try reassignments.record(
            of: request.purchaseId,
            in: request.bundleId,
            request.environment
        )
        let look = try reassignments.look(at: record, for: request.buyerId)
        guard look.effect == .moves, let holder = look.holderId else { return .refused(.isNotHeld) }
        let facts = try ClaimStore(connection: context.connection).facts(record.key)
        let proposal = ReassignmentProposalV1(
            proposalId: request.proposalId,
            bundleId: request.bundleId,
            environment: request.environment,
            purchaseId: record.key.purchaseID,
            productId: facts.productId,
            quantity: facts.quantity,
            holderId: holder,
            buyerId: request.buyerId,
            reason: request.reason,
            proposedBy: request.operatorId,
            proposedAt: context.now
        )
        try store.add(proposal)
        try context.record(
            .moveProposed,
            of: record.key.purchaseID.rawValue,
            proposal: request.proposalId,
            by: request.operatorId,
            for: Pseudonym.of(request.buyerId, in: request.bundleId),
            because: request.reason,
            from: "held by \(Pseudonym.of(holder, in: request.bundleId))",
            to: "proposed: \(request.proposalId)"
        )
        return .reply(proposal)
    }
}

extension ReassignmentProposalV1 {
    /// Whether a request would propose the same.
    fileprivate func isProposed(by request: ReassignmentProposeV1) -> Bool {
        bundleId == request.bundleId && environment == request.environment
            && purchaseId == request.purchaseId && buyerId == request.buyerId && reason == request.reason
            && proposedBy == request.operatorId
    }
}
