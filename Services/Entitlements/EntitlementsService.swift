import Contracts
import Database
import Delivery
import Domain
import Program

/// The ledger: what each buyer holds, and every entry that led there.
struct EntitlementsService: PartitionedService {
    static let name = ServiceName.entitlements
    static let schema = EntitlementsSchema.schema
    static let redrivePage = 500

    var timers: [any DurableTimer] { [HoldingTimer()] }

    /// The loaded catalog at a time of uptime, ms.
    let catalog: @Sendable (Int64) -> Catalog

    func register(in table: inout HandlerTable) {
        var catalog = catalog(ClockReading.current().uptime)
        table.beforeEachBatch { [load = self.catalog] in catalog = load($0.uptime) }
        table.on(PurchaseReportedV1.self) { try OnPurchaseReported(catalog: catalog)($0, in: $1) }
        table.on(request: GrantRetryV1.self) { try OnGrantRetry(catalog: catalog)($0, in: $1) }
        table.on(TransferRequestedV1.self) { try OnTransferRequested(catalog: catalog)($0, in: $1) }
        table.on(SubscriptionUpdatedV1.self, OnSubscriptionUpdated().callAsFunction)
        table.on(request: ConsentSetV1.self, OnConsentSet().callAsFunction)
        table.on(ConsumptionRequestedV1.self, OnConsumptionRequested().callAsFunction)
        table.on(request: SubscriptionsGetV1.self, OnSubscriptionsGet().callAsFunction)
        table.on(request: EntitlementsGetV1.self, OnEntitlementsGet().callAsFunction)
        table.on(request: LedgerAuditV1.self) { try OnLedgerAudit(catalog: catalog)($0, in: $1) }
        table.on(request: PurchasesAuditV1.self, OnPurchasesAudit().callAsFunction)
        table.on(request: FactsFindV1.self, OnFactsFind().callAsFunction)
        table.on(request: DeskListV1.self, OnDeskList().callAsFunction)
        table.on(request: WalletMoveV1.self) { try OnWalletMove(catalog: catalog)($0, in: $1) }
        table.on(request: SpendReverseV1.self, OnSpendReverse().callAsFunction)
        table.on(request: CompensationProposeV1.self) {
            try OnCompensationPropose(catalog: catalog)($0, in: $1)
        }
        table.on(request: CompensationDecideV1.self) {
            try OnCompensationDecide(catalog: catalog)($0, in: $1)
        }
        table.on(AppleOrderNamedV1.self) { try OnAppleOrderNamed(catalog: catalog)($0, in: $1) }
        table.on(CompensationKeptV1.self) { try OnCompensationKept(catalog: catalog)($0, in: $1) }
        table.on(request: AppleOrderReserveV1.self, OnAppleOrderReserve().callAsFunction)
        table.on(request: OperatorCountV1.self, OnOperatorCount().callAsFunction)
        table.on(request: GivenAmountsGetV1.self, OnGivenAmountsGet().callAsFunction)
        table.on(request: LedgerGetV1.self, OnLedgerGet().callAsFunction)
    }

    /// One that has the same catalog for ever.
    init(catalog: Catalog) { self.catalog = { _ in catalog } }

    /// One that takes up each catalog that is loaded.
    init(_ loaded: CatalogFollower) { catalog = { loaded.current(at: $0) } }

    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        try EntitlementsTrace(connection: connection).read(identifiers)
    }

    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double] {
        let parked = try GrantStore(connection: connection).parked()
        let contested = try ContestedCompensations(connection: connection).count()
        let due = try ToldHoldingStore(connection: connection).firstChange().flatMap { $0 <= now ? $0 : nil }
        return [
            "counterfoil_holdings_oldest_seconds": now.seconds(since: due),
            "counterfoil_grants_parked": Double(parked.count),
            "counterfoil_grants_parked_oldest_seconds": now.seconds(since: parked.oldest),
            "counterfoil_compensations_contested": Double(contested),
        ]
    }

    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        let page = try GrantStore(connection: context.connection).page(after: key, limit: Self.redrivePage)
        for record in page {
            if let transfer = TransferAnsweredV1(record.grant, of: record.facts) {
                if context.owner(of: transfer) == target { try context.send(transfer) }
            } else if let proposal = record.facts.purchaseId.proposalID {
                try Compensations(context, catalog(0)).redrive(proposal, to: target)
            } else {
                let recorded = GrantRecordedV1(record.grant, of: record.facts, for: record.order)
                if context.owner(of: recorded) == target { try context.send(recorded) }
            }
            let buyer = PartitionKey.buyer(record.grant.buyerId, of: record.facts.bundleId)
            if buyer.address(in: .notifications, of: context.partitions) == target {
                try redriveChanges(of: record, in: context)
            }
        }
        return RedrivePage(page.map(\.key), limit: Self.redrivePage)
    }

    /// Sends each change of the ledger as it was first sent, then the verdict.
    private func redriveChanges(of record: GrantRecord, in context: HandlerContext) throws {
        let ledger = Ledger(context)
        var lines = try LedgerStore(connection: context.connection).lines(of: record)[...]
        let facts = SupersededFactsStore(connection: context.connection)
        while let first = lines.first {
            let change = lines.prefix { $0.eventId == first.eventId }
            let earlier = try facts.record(record, after: first.eventId, change.map(\.entry))
            for entries in change.map(\.entry).byKind {
                try ledger.sendChange(of: earlier, entries, cause: first.eventId)
            }
            lines = lines.dropFirst(change.count)
        }
        if let submission = record.submission {
            try ledger.sendChange(of: record, [], submission: submission)
        }
        try redriveHoldings(of: record, in: context)
    }

    /// Tells again what was told last of the entitlements of a purchase.
    private func redriveHoldings(of record: GrantRecord, in context: HandlerContext) throws {
        let buyer = BuyerKey(record.facts, of: record.grant.buyerId)
        let store = ToldHoldingStore(connection: context.connection)
        for goods in record.grant.goods where goods.amount == nil {
            let key = HoldingKey(buyer, goods.entitlement)
            if let told = try store.told(key) { try HoldingChanges(context).tell(told, of: key) }
        }
    }
}
