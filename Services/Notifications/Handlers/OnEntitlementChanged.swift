import Contracts
import Delivery
import Domain
import Foundation
import NotificationsCore

/// `counterfoil.entitlement.changed.v1`: a waiting phone gets its verdict, and the app's own server its message.
struct OnEntitlementChanged {
    /// The apps that have a server to be told.
    let told: Set<BundleID>
    private let encoder = EventCoder.encoder()

    init(told: Set<BundleID>) { self.told = told }

    func callAsFunction(
        _ message: Event<EntitlementChangedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let change = message.data
        let verdict = TransactionVerdict(
            change.transaction,
            orderId: change.order.orderId,
            verdict: change.verdict,
            grantedAt: change.grantedAt,
            reason: change.reason
        )
        let origin = Origin(message, at: context.now)
        if let submission = change.submission {
            var named = verdict
            named.transactionId = change.transaction.named(by: submission).transactionId
            try context.take(VerdictLine(named), of: submission.receiptId, from: origin)
        }
        try context.followLedger(verdict, paying: change.order.orderId, from: origin)
        if !change.entries.isEmpty, told.contains(change.bundleId) {
            let key = WebhookRow.Key(
                purchaseId: change.transaction.purchaseId,
                changeId: EventID(ofChange: change.entries).rawValue
            )
            try tell(message, key, in: &context)
        }
        return .applied
    }

    private func tell(
        _ message: Event<EntitlementChangedV1>,
        _ key: WebhookRow.Key,
        in context: inout HandlerContext
    ) throws {
        let store = WebhookStore(connection: context.connection)
        // What is told again after a restore has no submission and no trace, and is to be the same.
        var message = message
        message.data.submission = nil
        message.traceparent = nil
        let body = String(decoding: try encoder.encode(WebhookBody(message)), as: UTF8.self)
        if let due = try store.add(key, message, body: body, now: context.now) {
            context.scheduleWork(at: due)
        }
    }
}

extension HandlerContext {
    /// Brings every proof of a purchase that the ledger has spoken of to what it says now.
    ///
    /// They are found by the order that the purchase pays, which no other does.
    fileprivate mutating func followLedger(
        _ verdict: TransactionVerdict,
        paying order: OrderID,
        from origin: Origin
    ) throws {
        let lines = try VerdictStore(connection: connection)
            .lines(paying: order, asPartOf: verdict.originalTransactionId, in: verdict.environment)
        for (receipt, known) in lines {
            let line = known.following(verdict)
            if line != known { try take(line, of: receipt, from: origin) }
        }
    }
}
