import Contracts
import Delivery

/// `counterfoil.transaction.found.v1`: a reconciliation's transaction is compared with its claim, where that is.
struct OnTransactionFound {
    func callAsFunction(
        _ message: Event<TransactionFoundV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let body = message.data
        guard let facts = TransactionFacts(body.transaction) else {
            return .deadLettered(ProofFailure.unreadable.rawValue)
        }
        let (chain, path) = (ChainKey(facts), body.aliases ?? [])
        let home = try NameWorkflow.home(of: facts.transactionId, facts.purchaseId, on: chain, in: context)
        if let home, NameWorkflow.mayGo(to: home, through: path) {
            var forwarded = body
            forwarded.transaction.originalTransactionId = home.rawValue
            forwarded.aliases = path + [chain.originalTransactionID]
            try context.send(forwarded)
            return .applied
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
            case .verify:
                try context.send(TransactionVerifiedV1(transaction: body.transaction, aliases: body.aliases))
            }
        }
        return .applied
    }
}
