import Contracts
import Delivery

/// `counterfoil.entitlement.changed.v1`: a waiting phone gets its verdict, and the app's own server its message.
struct OnEntitlementChanged {
    let subscribers: Subscribers

    func callAsFunction(
        _ message: Event<EntitlementChangedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (change, entry) = (message.data, Trace.Entry(message, at: context.now))
        let verdicts = Verdicts(context)
        if let submission = change.submission {
            let named = NumberedVerdict(change, named: submission)
            try verdicts.merge(named, into: submission, of: change.bundleId, entry)
        }
        // Every proof of the purchase follows the ledger; no other purchase pays this order. Those of another login,
        // from which or to which a restore has moved it, have verdicts of their own.
        let others = try VerdictStore(connection: context.connection).verdicts(
            paying: change.order.orderId,
            asPartOf: change.transaction.originalTransactionId,
            in: change.transaction.environment,
            of: change.buyerId
        )
        for (receipt, known) in others {
            let following = known.following(change)
            if following != known { try verdicts.merge(following, into: receipt, by: change.buyerId, entry) }
        }
        if !change.entries.isEmpty {
            try Webhooks(context).send(WebhookMessage(message), of: change.bundleId, to: subscribers)
        }
        return .applied
    }
}
