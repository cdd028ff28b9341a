import Contracts
import Delivery

/// `counterfoil.claim.moved.v1`: a purchase that the ledger has taken back is this buyer's now.
struct OnClaimMoved {
    /// Pays an order of the new holder and answers as a proposal is answered; twice is once.
    ///
    /// An order of this store that loses the purchase loses it first, because a purchase pays one order.
    func callAsFunction(_ message: Event<ClaimMovedV1>, in context: HandlerContext) throws -> Outcome {
        let (moved, facts) = (message.data, message.data.transaction)
        let entry = Trace.Entry(message, at: context.now)
        let payer = try OrderStore(connection: context.connection).order(paidBy: facts)
        if let payer, payer.loses(by: moved) {
            try Payments(context).release(payer, by: moved.transfer, entry)
        }
        let evidence = try PaymentStore(connection: context.connection).evidence(for: moved)
        let judgement = ClaimJudgement.judge(moved, evidence: evidence, at: context.now)
        try JudgedClaims(context).write(
            judgement,
            of: facts,
            by: moved.evidence,
            attempt: PaymentStore.attemptOfMove,
            submission: nil,
            transfer: moved.transfer,
            entry
        )
        return .applied
    }
}
