import Contracts
import Delivery
import Domain

/// `counterfoil.reassignment.confirm.v1`: another operator confirms that a purchase goes to another buyer, and it goes.
struct OnReassignmentConfirm {
    func callAsFunction(
        _ message: Event<ReassignmentConfirmV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReassignmentProposalV1> {
        let (request, store) = (message.data, ReassignmentStore(connection: context.connection))
        guard let known = try store.proposal(request.proposalId) else { return .refused(.noSuchProposal) }
        var proposal = ProposedReassignment(known)
        guard try proposal.isOpen(to: request.operatorId, at: context.now) else { return .reply(known) }
        let reassignments = Reassignments(context)
        let record = try reassignments.record(of: known.purchaseId, in: known.bundleId, known.environment)
        let look = try reassignments.look(at: record, for: known.buyerId)
        switch try proposal.confirm(by: request.operatorId, look, at: context.now) {
        case .nothing: break
        case .ends:
            try reassignments.end(
                proposal,
                as: .moveVoided,
                by: request.operatorId,
                because: "its holder has changed"
            )
            return .refused(.voidProposal)
        case .moves:
            try reassignments.decide(
                look,
                of: record,
                by: request.operatorId,
                because: known.reason,
                message,
                as: .moveConfirmed,
                proposal: request.proposalId
            )
            try store.decide(proposal.content)
        }
        return .reply(proposal.content)
    }
}
