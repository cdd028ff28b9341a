import Contracts
import Database
import Delivery
import Domain

/// Tells the buyers' servers of entitlements that have ended by themselves.
///
/// A durable timer without outside work. If the owner dies before COMMIT, the row is unchanged, and the next owner finds
/// it due; the message is named by what ended and when, so that a restored store sends the same one again.
struct EntitlementExpiry: OutsideWorker {
    /// Messages at a time per partition; each ends at once.
    let concurrency = 32

    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        // One more than can be given out, so that the next one is always included.
        let records = try ExpiryStore(connection: connection).first(limit + inHand.count + 1)
        let keyed = try records.map { (key: try JSONColumn.text($0.key), record: $0) }
        let due = keyed.filter { $0.record.plan.expiresAt <= now && !inHand.contains($0.key) }
        let items = due.prefix(limit).map { WorkItem(key: $0.key, payload: []) }
        return (items, records.first { $0.plan.expiresAt > now }?.plan.expiresAt)
    }

    @concurrent func perform(_ item: WorkItem) async -> [UInt8] { [] }

    func finish(_ item: WorkItem, result: [UInt8], in context: inout HandlerContext) throws {
        let store = ExpiryStore(connection: context.connection)
        let key: ExpiryRecord.Key = try JSONColumn.value(of: item.key)
        guard let record = try store.record(key.request, key.entitlement),
            !record.plan.isTold, record.plan.expiresAt <= context.now
        else { return }
        let holding = try HoldingStore(connection: context.connection)
            .holding(key.request, of: key.entitlement)
        guard var plan = Expiry(record.plan, holding.expiry(after: context.now), at: context.now).plan else {
            try store.remove(key.request, key.entitlement)
            return
        }
        if plan == record.plan {
            try context.send(record.event, stamp: record.stamp)
            plan.isTold = true
        } else {
            context.scheduleWork(at: plan.expiresAt)
        }
        try store.save(ExpiryRecord(key.request, key.entitlement, plan))
    }
}

extension ExpiryRecord {
    /// Which entitlement of which buyer.
    struct Key: Codable, Hashable {
        let bundleId: BundleID
        let buyerId: BuyerID
        let environment: Environment
        let entitlement: String

        var request: EntitlementsGetV1 {
            EntitlementsGetV1(bundleId: bundleId, buyerId: buyerId, environment: environment)
        }
    }

    var key: Key {
        Key(bundleId: bundleId, buyerId: buyerId, environment: environment, entitlement: entitlement)
    }

    /// The message that the entitlement has ended.
    var event: EntitlementExpiredV1 {
        EntitlementExpiredV1(
            bundleId: bundleId,
            buyerId: buyerId,
            environment: environment,
            entitlement: entitlement,
            productId: plan.productId,
            expiredAt: plan.expiresAt
        )
    }

    /// The same whenever the message is sent.
    var stamp: EventStamp {
        let end = String(plan.expiresAt.milliseconds)
        let parts = [
            "expired", bundleId.rawValue, buyerId.rawValue, environment.rawValue, entitlement, end,
        ]
        return EventStamp(
            id: EventID(unchecked: DerivedID.hexadecimal(parts)),
            time: plan.expiresAt,
            cause: nil
        )
    }
}
