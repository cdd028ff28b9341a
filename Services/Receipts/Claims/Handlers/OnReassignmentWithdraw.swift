import Contracts
import Delivery
import Domain

/// `counterfoil.reassignment.withdraw.v1`: an operator withdraws a move that nobody has confirmed.
struct OnReassignmentWithdraw {
    func callAsFunction(
        _ message: Event<ReassignmentWithdrawV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReassignmentProposalV1> {
        let (request, store) = (message.data, ReassignmentStore(connection: context.connection))
        guard let known = try store.proposal(request.proposalId) else { return .refused(.noSuchProposal) }
        try Approval.checkWithdrawal(
            by: request.operatorId,
            mayApprove: request.onlyOwn != true,
            proposedBy: known.proposedBy,
            isConfirmed: known.confirmedBy != nil
        )
        var proposal = ProposedReassignment(known)
        if try proposal.withdraw(at: context.now) {
            try Reassignments(context).end(
                proposal,
                as: .moveWithdrawn,
                by: request.operatorId,
                because: request.reason
            )
        }
        return .reply(proposal.content)
    }
}
