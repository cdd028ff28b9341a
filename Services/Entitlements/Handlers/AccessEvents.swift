import Contracts
import Delivery
import Domain

/// What follows from a change for the access that lasts for a time.
extension HandlerContext {
    /// Notes what became of a grant in its subscription, and when the entitlements end that it gives for a time.
    mutating func follow(_ record: GrantRecord, _ lines: [Grant.Line]) throws {
        let (facts, buyer) = (record.facts, record.grant.buyerId)
        var entitlements = Set(lines.filter(\.isPossession).map(\.entitlement))
        if facts.isPeriod {
            let key = SubscriptionKey(facts, of: buyer)
            let store = SubscriptionStore(connection: connection)
            if record.grant.tenure.hasLeft {
                try store.save(.init(purchaseId: facts.purchaseId, purchaseDate: facts.purchaseDate), of: key)
            } else {
                try store.save(SubscriptionPeriod(facts, record.grant), of: key)
            }
            entitlements.formUnion(try fold(try store.chain(key), of: key))
        }
        let takenBack = Set(lines.filter { !$0.kind.isForBuyer }.map(\.entitlement))
        try planExpiry(
            of: entitlements,
            EntitlementsGetV1(bundleId: facts.bundleId, buyerId: buyer, environment: facts.environment),
            takenBack: takenBack
        )
    }

    /// Notes what was said of a subscription besides the periods that its buyer holds.
    mutating func follow(_ update: SubscriptionUpdatedV1) throws {
        let key = SubscriptionKey(
            bundleId: update.bundleId,
            buyerId: update.buyerId,
            environment: update.environment,
            originalTransactionId: update.originalTransactionId
        )
        let store = SubscriptionStore(connection: connection)
        var chain = try store.chain(key)
        let known = chain
        if let renewal = update.renewal { chain.note(renewal) }
        if let successor = update.successor, chain.note(successor) { try store.save(successor, of: key) }
        guard chain != known else { return }
        try planExpiry(
            of: try fold(chain, of: key),
            EntitlementsGetV1(
                bundleId: update.bundleId,
                buyerId: update.buyerId,
                environment: update.environment
            )
        )
    }

    /// Stores the access that a chain gives; returns the entitlements that it gives, or gave before.
    private func fold(_ chain: SubscriptionChain, of key: SubscriptionKey) throws -> Set<String> {
        let before = try SubscriptionStore(connection: connection).save(chain, of: key)
        return (before?.entitlements ?? []).union(chain.folded()?.entitlements ?? [])
    }

    /// Plans the messages about entitlements that end by themselves; those `takenBack` have messages of their own.
    private mutating func planExpiry(
        of entitlements: Set<String>,
        _ request: EntitlementsGetV1,
        takenBack: Set<String> = []
    ) throws {
        let store = ExpiryStore(connection: connection)
        for name in entitlements.sorted() {
            let holding = try HoldingStore(connection: connection).holding(request, of: name)
            let known = try store.record(request, name)
            let expiry = Expiry(
                known?.plan,
                holding.expiry(after: now),
                isTakenBack: takenBack.contains(name),
                at: now
            )
            guard expiry.plan != known?.plan else { continue }
            if let plan = expiry.plan {
                try store.save(ExpiryRecord(request, name, plan))
                if !plan.isTold { scheduleWork(at: max(plan.expiresAt, now)) }
            } else {
                try store.remove(request, name)
            }
        }
    }

    /// Why a period of a subscription gives nothing any more; nil while it does, and of all other purchases.
    func endReason(of record: GrantRecord) throws -> String? {
        guard record.facts.isPeriod, record.grant.state == .granted, !record.grant.tenure.hasLeft else {
            return nil
        }
        let key = SubscriptionKey(record.facts, of: record.grant.buyerId)
        return try SubscriptionStore(connection: connection).access(key)?
            .endReason(of: record.facts.transactionId, at: now)
    }
}
