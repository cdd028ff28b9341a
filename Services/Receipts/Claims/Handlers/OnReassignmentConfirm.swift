import Contracts
import Delivery
import Domain

/// `counterfoil.reassignment.confirm.v1`: another operator confirms that a purchase goes to another buyer, and it goes.
///
/// | the proposal is                              | the answer                            |
/// |----------------------------------------------|---------------------------------------|
/// | confirmed already                            | again; to the proposer: `ownProposal` |
/// | withdrawn                                    | refused: `void`                       |
/// | one's own, or older than 7 days              | refused (`Approval`)                  |
/// | of a purchase whose holder has changed       | refused: `void`, and so it stays      |
/// | of a purchase that moves by another decision | refused: `undecided`, until it is     |
/// | else                                         | the purchase moves                    |
struct OnReassignmentConfirm {
    func callAsFunction(
        _ message: Event<ReassignmentConfirmV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReassignmentProposalV1> {
        let (request, store) = (message.data, ReassignmentStore(connection: context.connection))
        guard var proposal = try store.proposal(request.proposalId) else { return .refused(.noSuchProposal) }
        guard proposal.confirmedBy == nil else {
            return request.operatorId == proposal.proposedBy ? .refused(.ownProposal) : .reply(proposal)
        }
        guard proposal.endedAt == nil else { return .refused(.voidProposal) }
        try Approval.check(
            by: request.operatorId,
            proposedBy: proposal.proposedBy,
            proposedAt: proposal.proposedAt,
            at: context.now
        )
        let reassignments = Reassignments(context)
        let record = try reassignments.record(
            of: proposal.purchaseId,
            in: proposal.bundleId,
            proposal.environment
        )
        let look = try reassignments.look(at: record, for: proposal.buyerId)
        guard look.holderId == proposal.holderId else {
            // Whoever gets it back later must not meet an old decision.
            try reassignments.end(
                &proposal,
                as: .moveVoided,
                by: request.operatorId,
                because: "its holder has changed"
            )
            return .refused(.voidProposal)
        }
        guard look.effect == .moves else { return .refused(.undecided) }
        try reassignments.decide(
            look,
            of: record,
            by: request.operatorId,
            because: proposal.reason,
            message,
            as: .moveConfirmed
        )
        (proposal.confirmedBy, proposal.confirmedAt) = (request.operatorId, context.now)
        try store.decide(proposal)
        return .reply(proposal)
    }
}
