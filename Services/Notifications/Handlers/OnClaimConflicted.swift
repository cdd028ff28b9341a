import Contracts
import Delivery

/// `counterfoil.claim.conflicted.v1`: another buyer holds the purchase.
struct OnClaimConflicted {
    func callAsFunction(
        _ message: Event<ClaimConflictedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        try Verdicts(context).merge(
            NumberedVerdict(verdict: message.data.transaction, transfers: message.data.transfers ?? 0),
            into: message.data.submission,
            of: message.data.bundleId,
            Trace.Entry(message, at: context.now)
        )
        return .applied
    }
}
