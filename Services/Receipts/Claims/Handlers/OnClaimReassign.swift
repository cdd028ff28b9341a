import Contracts
import Delivery
import Domain

/// `counterfoil.claim.reassign.v1`: an operator decides whose a purchase is.
struct OnClaimReassign {
    func callAsFunction(
        _ message: Event<ClaimReassignV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReassignmentV1> {
        let request = message.data
        let reassignments = Reassignments(context)
        let record = try reassignments.record(
            of: request.purchaseId,
            in: request.bundleId,
            request.environment
        )
        let look = try reassignments.look(at: record, for: request.buyerId)
        guard !request.isDryRun else { return .reply(look) }
        if request.onlyOrphan == true, let refusal = record.claim.refusal(ofAssigning: look.effect) {
            return .refused(refusal)
        }
        try reassignments.decide(
            look,
            of: record,
            by: request.decidedBy,
            because: request.reason,
            message
        )
        return .reply(look)
    }
}
