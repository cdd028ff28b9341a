import Contracts
import Database
import Domain
import Program
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// One partition of Entitlements in memory; a test may change its catalog while it runs.
typealias EntitlementsHarness = ServiceHarness<EntitlementsService>

extension OrderTerms {
    /// The order of every purchase of the tests.
    static let studio = OrderTerms(
        orderId: OrderID(
            time: Timestamp(milliseconds: 1_760_000_000_000),
            shard: Shard(rawValue: 5),
            random: 1
        ),
        reference: "studio-17",
        metadata: ["level": .integer(3)]
    )
}

/// What one report of a purchase came to.
struct GrantReport {
    var outcome: Outcome
    var change: EntitlementChangedV1?
    var recorded: GrantOutcome?
    /// The lines that were added, as `kind entitlement change`.
    var lines: [String] {
        (change?.entries ?? []).map { "\($0.kind.rawValue) \($0.entitlement) \($0.change)" }
    }
}

extension Catalog.Grant {
    static let castle = Catalog.Grant(entitlement: "castle")

    static func coins(_ amount: Int64) -> Catalog.Grant { .init(entitlement: "coins", amount: amount) }
}

extension LedgerEntry.Kind {
    /// What an entry of this kind takes back of a purchase that no transfer has brought.
    var undone: Grant.Undone? {
        switch self {
        case .reversal, .transferOut: .grant
        case .reinstatement: .reversal
        case .compensationReversal: .compensation
        case .grant, .spend, .credit, .spendReversal, .transferIn, .compensation: nil
        }
    }
}

extension Timestamp {
    /// The beginning of a day since 1970.
    static func day(_ day: Int64) -> Timestamp {
        Timestamp(milliseconds: day * TimedPossession.millisecondsPerDay)
    }

    /// The day since 1970 in which it is.
    var day: Int64 { milliseconds / TimedPossession.millisecondsPerDay }
}

extension ServiceHarness<EntitlementsService> {
    convenience init() {
        let empty = EntitlementsService(catalog: Catalog(products: []))
        self.init(empty, now: Timestamp(milliseconds: 1_760_000_001_000))
        sell("coins.100", [.coins(100)])
        sell("castle", [.castle], type: .nonConsumable)
        sell("bundle", [.coins(50), .castle])
        sell("old.replaced", [.coins(50)], retired: .compensation([.init(entitlement: "gems", amount: 7)]))
        sell("month", [.castle], type: .autoRenewable)
        sell("old.undecided", [.coins(50)], retired: .undecided)
    }

    var catalog: Catalog { service?.catalog(0) ?? Catalog(products: []) }

    /// One in which a purchase of 100 coins is refunded after most of them were spent.
    static func refunded(
        _ balance: Catalog.EntitlementRules.BalanceRule? = nil,
        spent: Int64 = 70
    ) throws -> EntitlementsHarness {
        let harness = EntitlementsHarness()
        if let balance { harness.rule("coins", balance) }
        try harness.grant(.facts(signed: 100))
        _ = try harness.spend(spent)
        try harness.grant(.facts(signed: 200, refunded: 100_000))
        return harness
    }

    /// Puts a product into the catalog, before its former entry.
    func sell(
        _ product: String,
        _ grants: [Catalog.Grant],
        type: Catalog.ProductType = .consumable,
        retired: Catalog.Retirement? = nil,
        whenOwned: Catalog.OwnedRule = .grant,
        onOtherLogin: Catalog.OtherLoginRule = .conflict
    ) {
        var entry = Catalog.Product(
            productId: ProductID(unchecked: product),
            type: type,
            grants: grants,
            retired: retired
        )
        (entry.whenOwned, entry.onOtherLogin) = (whenOwned, onOtherLogin)
        service = EntitlementsService(catalog: Catalog(products: [entry] + catalog.products))
    }

    /// Changes every product of the catalog.
    func change(_ change: (inout Catalog.Product) -> Void) {
        var products = catalog.products
        for index in products.indices { change(&products[index]) }
        service = EntitlementsService(catalog: Catalog(products: products))
    }

    /// Gives an entitlement a rule for its balance.
    func rule(_ entitlement: String, _ balance: Catalog.EntitlementRules.BalanceRule) {
        var rules = catalog.entitlements
        rules[entitlement] = Catalog.EntitlementRules(balance: balance)
        service = EntitlementsService(catalog: Catalog(products: catalog.products, entitlements: rules))
    }

    /// The events of a contract that the last message led to.
    func events<Body: Contract>(_ type: Body.Type) throws -> [Event<Body>] {
        try sent.filter { $0.type == Body.type }.map { try $0.decoded() }
    }

    /// Everything in the tables, to see that nothing has changed.
    func contents() throws -> [[Row]] {
        try ["grants", "ledger", "balance", "possession", "wallet_request"].map {
            try rows("SELECT * FROM \($0) ORDER BY 1, 2, 3, 4")
        }
    }

    /// Asks for a grant; what follows from it is the result.
    @discardableResult
    func grant(
        _ facts: TransactionFacts = .facts(),
        to buyer: BuyerID = .ada,
        submitted: Bool = true
    ) throws -> GrantReport {
        let report = PurchaseReportedV1(
            buyerId: buyer,
            order: .studio,
            transaction: facts,
            submission: submitted ? .submission() : nil
        )
        let outcome = try handle(report, OnPurchaseReported(catalog: catalog).callAsFunction)
        let changes = try sent.bodies(EntitlementChangedV1.self)
        let recorded = try sent.bodies(GrantRecordedV1.self)
        // A grant and what was paid back before it are two changes; the last one answers.
        #expect(changes.count <= 2 && recorded.count <= 1)
        #expect(changes.dropLast().allSatisfy { $0.submission == nil && !$0.entries.isEmpty })
        return GrantReport(outcome: outcome, change: changes.last, recorded: recorded.first?.outcome)
    }

    /// Has the timer look at what time has changed; what is told of it.
    func passTime() throws -> [HoldingChangedV1] {
        try due().items.flatMap { item in
            try transact { try HoldingTimer().run(item.key, in: $0) }
            return try sent.bodies(HoldingChangedV1.self)
        }
    }

    /// What a buyer holds.
    func holdings(
        _ environment: Environment = .production,
        of buyer: BuyerID = .ada
    ) throws -> EntitlementsV1 {
        let request = EntitlementsGetV1(bundleId: .game, buyerId: buyer, environment: environment)
        return try #require(handle(request, OnEntitlementsGet().callAsFunction).reply)
    }

    /// What a buyer holds for real: possessions, and how many coins.
    func held(by buyer: BuyerID = .ada) throws -> String {
        let all = try holdings(of: buyer)
        return all.entitlements.map { $0.entitlement + " " }.joined() + String(all.balances["coins"] ?? 0)
    }

    /// What the audits of the ledger and of the purchases find wrong.
    func audit() throws -> [LedgerAuditPage.Difference] {
        let ledger = OnLedgerAudit(catalog: catalog)
        return try #require(handle(LedgerAuditV1(), ledger.callAsFunction).reply).differences
            + #require(handle(PurchasesAuditV1(), OnPurchasesAudit().callAsFunction).reply).differences
    }

    /// Judges again what is parked, a page of it.
    func retry(
        _ scope: RetryScope = RetryScope(),
        after: [String]? = nil
    ) throws -> RequestOutcome<RetryPage> {
        let handler = OnGrantRetry(catalog: catalog)
        return try handle(GrantRetryV1(scope: scope, after: after), handler.callAsFunction)
    }

    /// Ada's subscriptions.
    func subscriptions() throws -> [SubscriptionsV1.Subscription] {
        let request = SubscriptionsGetV1(bundleId: .game, buyerId: .ada, environment: .production)
        return try #require(handle(request, OnSubscriptionsGet().callAsFunction).reply).subscriptions
    }

    /// What came from an account, less what went to it, by the entries for which a condition holds.
    func sum(_ account: String, _ entitlement: String, where condition: String = "TRUE") throws -> Int64 {
        let rows = try rows(
            """
            SELECT COALESCE(SUM(CASE WHEN from_account = '\(account)' THEN amount ELSE -amount END), 0) FROM ledger
            WHERE entitlement = '\(entitlement)' AND '\(account)' IN (from_account, to_account) AND \(condition)
            """
        )
        return try #require(rows.first)[0]
    }

    /// Asks for a page of the buyer's ledger.
    func ledger(
        after: String? = nil,
        limit: Int = 100,
        environment: Environment? = nil
    ) throws -> RequestOutcome<LedgerV1> {
        let request = LedgerGetV1(
            bundleId: .game,
            buyerId: .ada,
            environment: environment,
            after: after,
            limit: limit
        )
        return try handle(request, OnLedgerGet().callAsFunction)
    }

    /// Spends coins of Ada's, or credits some to her.
    func move(
        _ kind: WalletMoveV1.Kind,
        _ amount: Int64,
        _ entitlement: String = "coins",
        key: String = "k1",
        reason: String? = nil,
        metadata: [String: JSONValue]? = nil,
        environment: Environment = .production
    ) throws -> RequestOutcome<WalletEntryV1> {
        let request = WalletMoveV1(
            bundleId: .game,
            buyerId: .ada,
            environment: environment,
            kind: kind,
            entitlement: entitlement,
            amount: amount,
            idempotencyKey: key,
            reason: reason,
            metadata: metadata
        )
        return try handle(request, OnWalletMove(catalog: catalog).callAsFunction)
    }

    /// Spends coins of Ada's.
    func spend(
        _ amount: Int64,
        _ entitlement: String = "coins",
        key: String = "k1",
        reason: String? = nil,
        environment: Environment = .production
    ) throws -> RequestOutcome<WalletEntryV1> {
        try move(.spend, amount, entitlement, key: key, reason: reason, environment: environment)
    }

    /// Credits coins to Ada.
    func credit(
        _ amount: Int64,
        _ entitlement: String = "coins",
        key: String = "k1",
        metadata: [String: JSONValue]? = nil
    ) throws -> RequestOutcome<WalletEntryV1> {
        try move(.credit, amount, entitlement, key: key, reason: "quest", metadata: metadata)
    }

    /// Gives a spend of Ada's back.
    func reverse(_ entry: String, key: String = "k1") throws -> RequestOutcome<WalletEntryV1> {
        let request = SpendReverseV1(bundleId: .game, buyerId: .ada, entryId: entry, idempotencyKey: key)
        return try handle(request, OnSpendReverse().callAsFunction)
    }

    /// All entries of the buyer's ledger.
    func entries() throws -> [LedgerEntry] { try #require(ledger().reply).entries }

    /// Whether the numbers of the first page's grants and entries show an audit that all of it holds.
    func holdsByNumbers() throws -> Bool {
        try database.write { connection in
            let store = PurchaseAuditStore(connection: connection)
            let page = try store.page(PurchasesAuditV1())
            return LedgerAudit.holds(page.records, entries: try store.entries(of: page))
        }
    }

    /// The request that changed the only grant last.
    func lastRequest() throws -> EventID {
        EventID(unchecked: try #require(rows("SELECT event_id FROM grants").first)[0])
    }

    /// What Ada's partition of Notifications is told again.
    func changesAgain() throws -> [Event<EntitlementChangedV1>] {
        let here = PartitionKey.buyer(.ada, of: .game).shard.partition(of: partitions)
        try redrive(to: PartitionAddress(.notifications, here))
        return try events(EntitlementChangedV1.self)
    }
}
