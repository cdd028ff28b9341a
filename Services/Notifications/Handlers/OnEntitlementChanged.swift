import Contracts
import Delivery
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
        in transaction: inout Transaction
    ) throws -> Outcome {
        let change = message.data
        if let submission = change.submission {
            let verdict = TransactionVerdict(
                change.transaction,
                orderId: change.order.orderId,
                verdict: change.verdict,
                reason: change.reason
            )
            let origin = Origin(message, at: transaction.now)
            try transaction.take(VerdictLine(verdict), of: submission.receiptId, from: origin)
        }
        if let entry = change.entries.first, told.contains(change.bundleId) {
            let key = WebhookRow.Key(transactionId: change.transaction.transactionId, changeId: entry.entryId)
            try tell(message, key, in: &transaction)
        }
        return .applied
    }

    private func tell(
        _ message: Event<EntitlementChangedV1>,
        _ key: WebhookRow.Key,
        in transaction: inout Transaction
    ) throws {
        let store = WebhookStore(connection: transaction.connection)
        let body = String(decoding: try encoder.encode(WebhookBody(message)), as: UTF8.self)
        if let due = try store.add(key, message, body: body, now: transaction.now) {
            transaction.scheduleWork(at: due)
        }
    }
}
