import Contracts
import Delivery
import Domain

/// `counterfoil.reassignment.withdraw.v1`: an operator withdraws a move that nobody has confirmed.
///
/// | the proposal is   | the answer                                    |
/// |-------------------|-----------------------------------------------|
/// | not confirmed     | withdrawn: nobody confirms it any more        |
/// | withdrawn already | again                                         |
/// | confirmed         | refused: `confirmed`; a move back undoes it   |
struct OnReassignmentWithdraw {
    func callAsFunction(
        _ message: Event<ReassignmentWithdrawV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReassignmentProposalV1> {
        let (request, store) = (message.data, ReassignmentStore(connection: context.connection))
        guard var proposal = try store.proposal(request.proposalId) else { return .refused(.noSuchProposal) }
        guard proposal.confirmedBy == nil else { return .refused(.confirmedMove) }
        guard proposal.endedAt == nil else { return .reply(proposal) }
        try Reassignments(context).end(
            &proposal,
            as: .moveWithdrawn,
            by: request.operatorId,
            because: request.reason
        )
        return .reply(proposal)
    }
}

extension RequestRefusal {
    fileprivate static let confirmedMove = RequestRefusal(
        .conflict,
        "The move is confirmed: propose the move back instead.",
        field: "proposalId",
        reason: "confirmed"
    )
}
