import Contracts
import Delivery

/// `counterfoil.transaction.found.v1`: a reconciliation's transaction is compared with its claim.
struct OnTransactionFound {
    func callAsFunction(
        _ message: Event<TransactionFoundV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let body = message.data
        guard let facts = TransactionFacts(body.transaction) else {
            return .parked(ProofFailure.unreadable.rawValue)
        }
        let store = ReconciliationStore(connection: context.connection)
        let claim = try ClaimStore(connection: context.connection).claim(of: facts)
        let known = try store.found(body.reconciliationId, facts)
        if known == nil { try store.forget(now: context.now) }
        var found = known ?? FoundTransaction(facts, claim: claim, isDryRun: body.action == .dryRun)
        let directives = found.apply(body, facts, claim: claim)
        try store.save(found, of: body.reconciliationId, now: context.now)
        for directive in directives {
            switch directive {
            case .submit(let notification): try context.send(notification)
            case .verify: try context.sendToClaim(body.transaction)
            }
        }
        return .applied
    }
}
