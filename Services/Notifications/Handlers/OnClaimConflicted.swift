import Contracts
import Delivery

/// `counterfoil.claim.conflicted.v1`: another buyer holds the purchase.
struct OnClaimConflicted {
    func callAsFunction(
        _ message: Event<ClaimConflictedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (conflict, entry) = (message.data, Trace.Entry(message, at: context.now))
        let verdict = NumberedVerdict(verdict: conflict.transaction, transfers: conflict.transfers ?? 0)
        try Verdicts(context).merge(verdict, into: conflict.submission, of: conflict.bundleId, entry)
        return .applied
    }
}
