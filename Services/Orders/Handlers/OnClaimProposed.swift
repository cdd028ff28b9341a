import Contracts
import Delivery

/// `counterfoil.claim.proposed.v1`: Receipts asks whether a transaction belongs to a candidate.
struct OnClaimProposed {
    func callAsFunction(_ message: Event<ClaimProposedV1>, in context: HandlerContext) throws -> Outcome {
        let (candidate, facts) = (message.data.candidate, message.data.transaction)
        let evidence = try PaymentStore(connection: context.connection).evidence(for: candidate, of: facts)
        let judgement = ClaimJudgement.judge(candidate, of: facts, evidence: evidence, at: context.now)
        if let rule = CountedRule.deciding(message.data, judgement) { context.count(rule.rawValue) }
        try JudgedClaims(context).write(
            judgement,
            of: facts,
            by: HolderEvidence(candidate),
            attempt: message.data.attempt,
            submission: message.data.submission,
            Trace.Entry(message, at: context.now)
        )
        return .applied
    }
}
