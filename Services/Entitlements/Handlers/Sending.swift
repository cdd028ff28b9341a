import Contracts
import Delivery
import EntitlementsCore

/// The two messages that Entitlements sends.
extension Transaction {
    /// Tells Notifications, in the buyer's partition, what the ledger holds.
    mutating func sendChange(
        of record: GrantRecord,
        _ entries: [LedgerEntry],
        _ answer: GrantAnswer,
        submission: Submission?
    ) throws {
        let buyer = record.grant.buyerId
        let bundle = record.facts.bundleId
        let change = EntitlementChangedV1(
            bundleId: bundle,
            buyerId: buyer,
            environment: record.facts.environment,
            order: record.order,
            transaction: record.facts,
            entries: entries,
            verdict: answer.verdict,
            grantedAt: answer.verdict == .granted ? record.grantedAt : nil,
            reason: answer.reason,
            submission: submission
        )
        let shard = Shard(bundleID: bundle, buyer: buyer)
        try send(change, to: .notifications, shard: shard, subject: "\(bundle)/\(buyer)")
    }

    /// Tells Orders, in the order's partition, how far its goods are.
    mutating func sendSettled(_ record: GrantRecord, _ outcome: GrantOutcome) throws {
        let settled = GrantSettledV1(
            bundleId: record.facts.bundleId,
            buyerId: record.grant.buyerId,
            orderId: record.order.orderId,
            transactionId: record.facts.transactionId,
            outcome: outcome
        )
        let subject = "\(record.facts.bundleId)/\(record.grant.buyerId)"
        try send(settled, to: .orders, shard: record.order.orderId.shard, subject: subject)
    }
}
