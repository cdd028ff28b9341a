import Contracts
import Delivery
import Domain

/// What a change leads to for what its buyer possesses, and who is told of it.
struct HoldingChanges {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Notes what became of a grant in its subscription, and tells what has changed of the entitlements that it gives.
    func follow(_ record: GrantRecord, _ lines: [Grant.Line]) throws {
        let (facts, buyer) = (record.facts, record.grant.buyerId)
        var entitlements = Set(lines.filter(\.isPossession).map(\.entitlement))
        if facts.isPeriod {
            let key = SubscriptionKey(facts, of: buyer)
            let store = SubscriptionStore(connection: context.connection)
            let period = record.grant.holderStatus.hasLeft ? nil : SubscriptionPeriod(facts, record.grant)
            try store.save(period, facts.purchaseId, facts.purchaseDate, of: key)
            entitlements.formUnion(try fold(try store.chain(key), of: key))
        }
        let holder = BuyerKey(facts, of: buyer)
        for name in entitlements.sorted() {
            let line = lines.last { $0.isPossession && $0.entitlement == name }
            try compare(HoldingKey(holder, name), because: HoldingChangedV1.Reason(line))
        }
    }

    /// Notes what was said of a subscription besides the periods that its buyer holds.
    func note(_ update: SubscriptionUpdatedV1) throws {
        let key = SubscriptionKey(
            buyer: BuyerKey(update.bundleId, update.buyerId, update.environment),
            originalTransactionId: update.originalTransactionId
        )
        let store = SubscriptionStore(connection: context.connection)
        var chain = try store.chain(key)
        let known = chain
        if let renewal = update.renewal { chain.note(renewal) }
        if let successor = update.successor, chain.note(successor) {
            try store.save(nil, successor.purchaseId, successor.purchaseDate, of: key)
        }
        guard chain != known else { return }
        let entitlements = try fold(chain, of: key)
        for name in entitlements.sorted() { try compare(HoldingKey(key.buyer, name), because: .updated) }
    }

    /// Tells that a buyer has no more of some entitlements than the ledger says, though nothing has moved them here.
    func tellEnd(of entitlements: Set<String>, to buyer: BuyerID, _ facts: TransactionFacts) throws {
        let holder = BuyerKey(facts, of: buyer)
        for name in entitlements.sorted() { try compare(HoldingKey(holder, name), because: .refunded) }
    }

    /// Stores the access that a chain gives; returns the entitlements that it gives, or gave before.
    private func fold(_ chain: SubscriptionChain, of key: SubscriptionKey) throws -> Set<String> {
        let before = try SubscriptionStore(connection: context.connection).save(chain, of: key)
        return (before?.entitlements ?? []).union(chain.folded()?.entitlements ?? [])
    }

    /// Compares what is held of an entitlement with what was told of it last, and tells the difference.
    func compare(
        _ key: HoldingKey,
        with known: ToldHolding? = nil,
        because reason: HoldingChangedV1.Reason?
    ) throws {
        let store = ToldHoldingStore(connection: context.connection)
        let holding = try HoldingStore(connection: context.connection).holding(key.buyer, of: key.entitlement)
        var told = try known ?? store.told(key) ?? ToldHolding()
        let isNews = told.note(holding, at: context.now, because: reason)
        if isNews { told.eventID = context.newIdentifier() }
        try store.save(told, of: key)
        if let change = told.changesAt { context.scheduleWork(at: change) }
        if isNews { try tell(told, of: key) }
    }

    /// Tells Notifications what is held of an entitlement, unless nothing was ever told of it.
    func tell(_ told: ToldHolding, of key: HoldingKey) throws {
        guard let reason = told.reason, let identifier = told.eventID else { return }
        let change = HoldingChangedV1(
            bundleId: key.bundleId,
            buyerId: key.buyerId,
            environment: key.environment,
            entitlement: key.entitlement,
            held: told.isHeld,
            expires: told.expires,
            reason: reason
        )
        let stamp = EventStamp(id: identifier, time: context.now, cause: context.cause)
        try context.send(change, stamp: stamp)
    }
}

extension HoldingChangedV1.Reason {
    /// The last entry that moved the entitlement; without one Apple has said something else of what gives it.
    fileprivate init(_ line: Grant.Line?) {
        self =
            switch line?.kind {
            case _ where line?.transfer != nil: .reassigned
            case .grant: .granted
            case .reversal: .refunded
            case .reinstatement: .refundReversed
            case .transferOut, .transferIn: .transferred
            case nil, .spend, .credit, .spendReversal, .compensation, .compensationReversal: .updated
            }
    }
}
