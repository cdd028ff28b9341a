import Contracts
import Delivery
import OrdersCore

/// `counterfoil.claim.proposed.v1`: Receipts asks whether a transaction belongs to a candidate.
struct OnClaimProposed {
    /// Judges the claim; if it is held, the order is paid, Receipts is answered and the ledger is asked to grant,
    /// all in one transaction.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func callAsFunction(
        _ message: Event<ClaimProposedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let proposal = message.data
        let facts = proposal.transaction
        let evidence = try PaymentStore(connection: context.connection)
            .evidence(for: proposal.candidate, of: facts)
        let judgement = ClaimJudgement.judge(
            proposal.candidate,
            of: facts,
            evidence: evidence,
            at: context.now
        )
        let question = ClaimQuestion(facts, attempt: proposal.attempt, proposal.submission)
        try question.answer(judgement, Step(message, in: context), in: &context)
        return .applied
    }
}
