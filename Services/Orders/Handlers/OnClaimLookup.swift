import Contracts
import Delivery

/// `counterfoil.claim.lookup.v1`: Receipts asks whether a transaction has paid an order here.
struct OnClaimLookup {
    /// Replies; a held claim is reported as if it had been proposed again.
    func callAsFunction(_ message: Event<ClaimLookupV1>, in context: HandlerContext) throws -> Outcome {
        let lookup = message.data
        let payer = try OrderStore(connection: context.connection).order(paidBy: lookup.transaction)
        let judgement = ClaimJudgement.judgeLookup(KnownOrders(payer: payer))
        try JudgedClaims(context).write(
            judgement,
            of: lookup.transaction,
            by: .known,
            attempt: lookup.attempt,
            submission: lookup.submission,
            Trace.Entry(message, at: context.now)
        )
        return .applied
    }
}
