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
        in transaction: inout Transaction
    ) throws -> Outcome {
        let proposal = message.data
        let payments = PaymentStore(connection: transaction.connection)
        let facts = proposal.transaction
        let step = Step(message, in: transaction)
        let evidence = try payments.evidence(for: proposal.candidate, of: facts)
        switch ClaimJudgement.judge(proposal.candidate, of: facts, evidence: evidence, at: transaction.now) {
        case .repeated(let order):
            try payments.restate(order, facts, step)
            try announce(order, proposal, in: &transaction)
        case .paid(let order):
            try payments.pay(order, with: facts, attempt: proposal.attempt, step)
            try announce(order, proposal, in: &transaction)
        case .onTheSpot(let buyer):
            let id = transaction.newOrderID(shard: Shard(bundleID: facts.bundleId, buyer: buyer))
            let order = Order(id: id, buyerID: buyer, paidBy: facts, at: transaction.now)
            try payments.addPaid(order, with: facts, attempt: proposal.attempt, step)
            try announce(order, proposal, in: &transaction)
        case .refused(let reason, let registered):
            let refusal = ClaimRefusedV1(proposal, reason: reason, registered: registered)
            try transaction.answer(refusal, about: facts)
        }
        return .applied
    }

    private func announce(
        _ order: Order,
        _ proposal: ClaimProposedV1,
        in transaction: inout Transaction
    ) throws {
        try transaction.answerHeld(proposal.transaction, by: order, attempt: proposal.attempt)
        let grant = GrantRequestedV1(
            holder: order.buyerID,
            terms: order.terms,
            transaction: proposal.transaction,
            submission: proposal.submission
        )
        try transaction.request(grant)
    }
}
