import Contracts
import Database
import Delivery
import Domain
import Program

/// Orders: who wants to buy what, and each order's progress.
struct OrdersService: PartitionedService {
    static let name = ServiceName.orders
    static let schema = OrdersSchema.schema
    static let counters = CountedRule.allCases.map(\.rawValue)

    let timers: [any DurableTimer]

    init(_ configuration: Configuration.Orders = Configuration.Orders()) {
        timers = [PaymentLookupTimer(expiry: OrderExpiry(hours: configuration.expireAfterHours))]
    }

    func register(in table: inout HandlerTable) {
        table.on(request: OrderIssueV1.self, OnOrderIssue().callAsFunction)
        table.on(request: OrderGetV1.self, OnOrderGet().callAsFunction)
        table.on(request: OrdersFindV1.self, OnOrdersFind().callAsFunction)
        table.on(request: OrderCloseV1.self, OnOrderClose().callAsFunction)
        table.on(request: OrderReportV1.self, OnOrderReport().callAsFunction)
        table.on(request: OrderLogV1.self, OnOrderLog().callAsFunction)
        table.on(request: OrdersListV1.self, OnOrdersList().callAsFunction)
        table.on(request: TokenRegisterV1.self, OnTokenRegister().callAsFunction)
        table.on(request: PurchasesAuditV1.self, OnPurchasesAudit().callAsFunction)
        table.on(request: FactsFindV1.self, OnFactsFind().callAsFunction)
        table.on(request: DeskListV1.self, OnDeskList().callAsFunction)
        table.on(ClaimProposedV1.self, OnClaimProposed().callAsFunction)
        table.on(ClaimLookupV1.self, OnClaimLookup().callAsFunction)
        table.on(ClaimChallengedV1.self, OnClaimChallenged().callAsFunction)
        table.on(ClaimMovedV1.self, OnClaimMoved().callAsFunction)
        table.on(OrderReleasedV1.self, OnOrderReleased().callAsFunction)
        table.on(TransactionUpdatedV1.self, OnTransactionUpdated().callAsFunction)
        table.on(GrantRecordedV1.self, OnGrantRecorded().callAsFunction)
        table.on(CompensationChangedV1.self, OnCompensationChanged().callAsFunction)
    }

    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        try OrdersTrace(connection: connection).read(identifiers)
    }

    /// How many orders wait for their payment, and how long payments have waited for the ledger.
    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double] {
        try OrderGauges(connection: connection).read(now: now)
    }

    /// Sends a page of all payments again: to Receipts as held claims, to Entitlements as reports of purchases.
    ///
    /// Entitlements is told of its compensations before, so that the reports find them.
    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        guard target.service == .receipts || target.service == .entitlements else { return .none }
        if target.service == .entitlements, key.isEmpty || key.first == Self.stageOfCompensations {
            let page = try redriveCompensations(to: target, after: key.dropFirst().first ?? "", in: context)
            // Payments follow at once where no further compensation does.
            guard page.next.isEmpty else { return page }
        }
        let key = key.first == Self.stageOfCompensations ? [] : key
        let page = try PaymentStore(connection: context.connection).page(after: key.first ?? "")
        for (claim, grants) in page {
            if context.owner(of: claim) == target { try context.send(claim) }
            for grant in grants where context.owner(of: grant) == target { try context.send(grant) }
        }
        return RedrivePage(page.map { [$0.claim.orderId.rawValue] }, limit: PaymentStore.pageRows)
    }

    /// The first column of a key of compensations; no order's id is like it.
    private static let stageOfCompensations = "compensations"

    private func redriveCompensations(
        to target: PartitionAddress,
        after proposal: String,
        in context: HandlerContext
    ) throws -> RedrivePage {
        let page = try KeptCompensationStore(connection: context.connection).page(after: proposal)
        for compensation in page {
            let kept = CompensationKeptV1(compensation: compensation)
            if context.owner(of: kept) == target { try context.send(kept) }
        }
        let keys = page.map { [Self.stageOfCompensations, $0.proposalId.rawValue] }
        return RedrivePage(keys, limit: KeptCompensationStore.pageRows)
    }
}
