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
        let proposal = ProposedReassignment(known)
        switch try proposal.confirmation(by: request.operatorId, at: context.now) {
        case .again: return .reply(known)
        case .open(let open): return try confirm(open, known, because: message, in: context)
        }
    }

    private func confirm(
        _ open: ProposedReassignment.Open,
        _ known: ReassignmentProposalV1,
        because message: Event<ReassignmentConfirmV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReassignmentProposalV1> {
        let (request, reassignments) = (message.data, Reassignments(context))
        let record = try reassignments.record(of: known.purchaseId, in: known.bundleId, known.environment)
        let look = try reassignments.look(at: record, for: known.buyerId)
        switch try open.confirmed(look) {
        case .ends(let ended):
            try reassignments.end(
                ended,
                as: .moveVoided,
                by: request.operatorId,
                because: "its holder has changed"
            )
            return .refused(.voidProposal)
        case .moves(let confirmed):
            try reassignments.decide(
                look,
                of: record,
                by: request.operatorId,
                because: known.reason,
                message,
                as: .moveConfirmed,
                proposal: request.proposalId
            )
            try ReassignmentStore(connection: context.connection).decide(confirmed.content)
            return .reply(confirmed.content)
        }
    }
}
