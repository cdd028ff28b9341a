import Contracts
import Delivery
import Domain

/// `counterfoil.transaction.verified.v1`: a genuine transaction is applied to the claim of its purchase.
struct OnTransactionVerified {
    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<TransactionVerifiedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let signed = message.data.transaction
        guard var facts = TransactionFacts(signed) else { return .parked(ProofFailure.unreadable.rawValue) }
        let known = try ClaimStore(connection: context.connection).claim(naming: &facts)
        if known != nil { context.record(message, of: facts.purchaseId.rawValue) }
        let record = known ?? ClaimRecord(facts, Trace.Entry(message, at: context.now))
        var workflow = ClaimWorkflow(record, incoming: signed)
        let event = Claim.Event.verified(facts, message.data.submission)
        let outcome = try workflow.apply(event, message.data.inquiry, in: &context)
        guard outcome == .applied else { return outcome }
        if facts.isPeriod { try follow(message.data, facts, in: &context) }
        // Apple takes no answer about what somebody else paid for.
        if let askedAt = message.data.consumptionAskedAt, !facts.isShared,
            policies[facts.bundleId]?.apis.contains(.serverAPI) == true
        {
            let transaction = TransactionID(unchecked: signed.transactionId)
            try context.note(ConsumptionRequest(about: transaction, facts, askedAt: askedAt))
        }
        return outcome
    }

    /// Notes what came with a period: the next renewal of its chain, and a status that asks for newer facts.
    private func follow(
        _ message: TransactionVerifiedV1,
        _ facts: TransactionFacts,
        in context: inout HandlerContext
    ) throws {
        if let renewal = message.renewal, !facts.isAssigned { try context.note(renewal, with: facts) }
        guard let status = message.status.flatMap(SubscriptionStatus.init(rawValue:)),
            status.contradicts(message.transaction, message.renewal),
            policies[facts.bundleId]?.apis.contains(.serverAPI) == true
        else { return }
        let history = HistoryQuery(
            environment: facts.environment,
            transactionId: facts.originalTransactionId,
            asksStatuses: true
        )
        try context.ask(.history(history), of: facts.bundleId, .background)
    }
}
