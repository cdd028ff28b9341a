import Contracts
import Delivery
import Domain

/// `counterfoil.entitlement.changed.v1`: a waiting phone gets its verdict, and the app's own server its message.
struct OnEntitlementChanged {
    let subscribers: Set<BundleID>

    func callAsFunction(
        _ message: Event<EntitlementChangedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let (change, facts) = (message.data, message.data.transaction)
        let entry = Trace.Entry(message, at: context.now)
        let verdict = TransactionVerdict(
            facts,
            orderId: change.order.orderId,
            verdict: change.verdict,
            grantedAt: change.grantedAt,
            reason: change.reason
        )
        if let submission = change.submission {
            var named = verdict
            named.transactionId = facts.named(by: submission).transactionId
            try context.merge(PositionedVerdict(named), into: submission.receiptId, entry)
        }
        // Every proof of the purchase follows the ledger; no other purchase pays this order.
        let others = try VerdictStore(connection: context.connection).verdicts(
            paying: change.order.orderId,
            asPartOf: facts.originalTransactionId,
            in: facts.environment
        )
        for (receipt, known) in others {
            let following = known.following(verdict)
            if following != known { try context.merge(following, into: receipt, entry) }
        }
        if !change.entries.isEmpty, subscribers.contains(change.bundleId) {
            try addWebhook(message, in: &context)
        }
        return .applied
    }

    private func addWebhook(
        _ message: Event<EntitlementChangedV1>,
        in context: inout HandlerContext
    ) throws {
        let key = WebhookRow.Key(
            purchaseId: message.data.transaction.purchaseId,
            changeId: EventID(ofChange: message.data.entries).rawValue
        )
        // A message sent again after a restore has no submission and no trace, and must be the same.
        var message = message
        message.data.submission = nil
        message.traceparent = nil
        let body = try JSONColumn.text(WebhookBody(message))
        let store = WebhookStore(connection: context.connection)
        if let due = try store.add(key, message, body: body, now: context.now) {
            context.scheduleWork(at: due)
        }
    }
}
