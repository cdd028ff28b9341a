import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// Ada's subscription to a castle, which the catalog sells by the month.
@Suite struct `a subscription` {
    static let day = TimedPossession.millisecondsPerDay

    let harness: EntitlementsHarness

    init() throws {
        harness = try EntitlementsHarness()
        let year = [Catalog.Grant(entitlement: "castle"), Catalog.Grant(entitlement: "moat")]
        harness.sell("year", year, type: .autoRenewable)
        harness.now = Self.moment(1)
    }

    private static func moment(_ day: Int64) -> Timestamp { Timestamp(milliseconds: day * Self.day) }

    /// A period of the chain `1`, by its first day and the one after its last.
    static func period(
        _ id: String,
        _ begins: Int64,
        _ expires: Int64,
        product: String = "month",
        signed: Int64 = 1,
        revoked: Int64? = nil
    ) -> TransactionFacts {
        var facts = TransactionFacts.facts(
            id,
            product: product,
            type: ProductType.autoRenewable,
            signed: signed
        )
        facts.originalTransactionId = TransactionID(unchecked: "1")
        facts.purchaseDate = moment(begins)
        facts.expiresDate = moment(expires)
        facts.revocationDate = revoked.map(moment)
        facts.subscriptionGroupIdentifier = "group"
        facts.inAppOwnershipType = "PURCHASED"
        return facts
    }

    private func subscriptions() throws -> [SubscriptionsV1.Subscription] {
        let request = SubscriptionsGetV1(bundleId: .game, buyerId: .ada, environment: .production)
        return try #require(harness.handle(request, OnSubscriptionsGet().callAsFunction).reply).subscriptions
    }

    /// What is held on a day, as the entitlement and the days between which it is.
    private func held(on day: Int64) throws -> [String] {
        harness.now = Self.moment(day)
        return try harness.holdings().entitlements.map {
            let end = $0.expires.map { "\($0.milliseconds / Self.day)" } ?? "ever"
            return "\($0.entitlement) \($0.since.milliseconds / Self.day)-\(end)"
        }
    }

    /// What is told on a day because time has passed, as the entitlement and why.
    private func told(on day: Int64) throws -> [String] {
        harness.now = Self.moment(day)
        return try harness.passTime().map { "\($0.entitlement) \($0.reason)" }.sorted()
    }

    @Test func `gives its entitlements from a period's purchase to its end, and the ledger an entry`() throws
    {
        let report = try harness.grant(Self.period("1", 1, 31))
        #expect(report.lines == ["grant castle 1"])
        #expect(report.change?.verdict == .granted && report.recorded == .granted)
        #expect(try held(on: 30) == ["castle 1-31"])
        #expect(try held(on: 31).isEmpty)
    }

    @Test func `is listed once, with the period that contains the present, else the last`() throws {
        var first = Self.period("1", 1, 31)
        (first.offerType, first.offerIdentifier, first.offerDiscountType) = (3, "spring", "FREE_TRIAL")
        try harness.grant(first)
        try harness.grant(Self.period("2", 31, 61))
        let next = ProductID(unchecked: "year")
        let renewal = RenewalFacts(signedDate: Self.moment(2), autoRenewStatus: 1, autoRenewProductId: next)
        try harness.update(renewal: renewal)
        harness.now = Self.moment(5)
        var expected = SubscriptionsV1.Subscription(
            originalTransactionId: TransactionID(unchecked: "1"),
            productId: ProductID(unchecked: "month"),
            state: .active,
            transactionId: TransactionID(unchecked: "1"),
            environment: .production
        )
        (expected.groupId, expected.ownership) = ("group", "PURCHASED")
        (expected.accessUntil, expected.expires) = (Self.moment(61), Self.moment(31))
        (expected.autoRenew, expected.autoRenewProductId) = (true, next)
        expected.offer = .init(type: 3, identifier: "spring", discountType: "FREE_TRIAL")
        #expect(try subscriptions() == [expected])
        harness.now = Self.moment(70)
        (expected.state, expected.transactionId) = (.expired, TransactionID(unchecked: "2"))
        (expected.expires, expected.offer) = (Self.moment(61), nil)
        #expect(try subscriptions() == [expected])
    }

    @Test func `of a product that is parked gives nothing, and says so until an operator decides`() throws {
        let castle = [Catalog.Grant(entitlement: "castle")]
        harness.sell("gone", castle, type: .autoRenewable, retired: .undecided)
        try harness.grant(Self.period("1", 1, 31, product: "gone"))
        harness.now = Self.moment(5)
        let parked = try #require(subscriptions().first)
        #expect(parked.state == .parked && parked.accessUntil == nil && parked.expires == Self.moment(31))
        #expect(try held(on: 5).isEmpty)
        harness.sell("gone", castle, type: .autoRenewable)
        let retry = GrantRetryV1(scope: RetryScope(), after: nil)
        _ = try harness.handle(retry, OnGrantRetry(catalog: harness.catalog).callAsFunction)
        let judged = try #require(subscriptions().first)
        #expect(judged.state == .active && judged.accessUntil == Self.moment(31))
        #expect(try held(on: 5) == ["castle 1-31"])
    }

    @Test func `of one environment is none of the other, and one-time purchases are no subscriptions`() throws
    {
        var sandbox = Self.period("1", 1, 31)
        sandbox.environment = .sandbox
        try harness.grant(sandbox)
        try harness.grant(.facts("2", product: "castle", type: "Non-Consumable"))
        #expect(try subscriptions().isEmpty)
        #expect(try held(on: 5) == ["castle 0-ever"])
    }

    /// Puts both products into one group, with these ranks.
    private func rank(month: Int?, year: Int?) {
        let ranks = ["month": month, "year": year].compactMapValues(\.self)
        let products = harness.catalog.products.map { product in
            var product = product
            product.subscriptionGroup = "group"
            product.rank = ranks[product.productId.rawValue]
            return product
        }
        harness.service = EntitlementsService(catalog: Catalog(products: products))
    }

    @Test(arguments: [(nil, nil), (1, 1), (1, 2), (2, 1)] as [(Int?, Int?)])
    func `gives the same whatever ranks its products have, up and down`(month: Int?, year: Int?) throws {
        rank(month: month, year: year)
        try harness.grant(Self.period("1", 1, 31))
        try harness.grant(Self.period("2", 10, 375, product: "year"))
        #expect(try held(on: 12) == ["castle 1-375", "moat 10-375"])
        #expect(try subscriptions().map(\.accessUntil) == [Self.moment(375)])
        let down = try `a subscription`()
        down.rank(month: month, year: year)
        try down.harness.grant(Self.period("1", 1, 366, product: "year"))
        try down.harness.grant(Self.period("2", 10, 40))
        #expect(try down.held(on: 12) == ["castle 1-40"])
        #expect(try down.subscriptions().map(\.accessUntil) == [Self.moment(40)])
    }

    @Test func `is extended by a newer statement of its period, and an older one changes nothing`() throws {
        try harness.grant(Self.period("1", 1, 31, signed: 5))
        #expect(try held(on: 29) == ["castle 1-31"])
        #expect(try harness.grant(Self.period("1", 1, 45, signed: 9)).lines.isEmpty)
        #expect(try held(on: 30) == ["castle 1-45"])
        #expect(try harness.grant(Self.period("1", 1, 31, signed: 7)).lines.isEmpty)
        #expect(try held(on: 30) == ["castle 1-45"])
        #expect(try told(on: 31).isEmpty)
        #expect(try held(on: 44) == ["castle 1-45"])
        #expect(try subscriptions().map(\.accessUntil) == [Self.moment(45)])
        #expect(try harness.entries().map(\.kind) == [.grant])
        #expect(try told(on: 45) == ["castle expired"])
    }

    @Test func `that a family member pays for gives access in its periods, and never amounts`() throws {
        let grants: [Catalog.Grant] = [.init(entitlement: "castle"), .init(entitlement: "coins", amount: 5)]
        harness.sell("club", grants, type: .autoRenewable)
        var shared = Self.period("1", 1, 31, product: "club")
        shared.inAppOwnershipType = "FAMILY_SHARED"
        let report = try harness.grant(shared)
        #expect(report.lines == ["grant castle 1"] && report.change?.verdict == .granted)
        #expect(try held(on: 30) == ["castle 1-31"])
        #expect(try harness.holdings().balances.isEmpty)
        #expect(try subscriptions().map(\.ownership) == ["FAMILY_SHARED"])
        #expect(try subscriptions().map(\.state) == [.active])
        #expect(try held(on: 31).isEmpty)
    }

    @Test func `that was upgraded gives what the new product gives, at once`() throws {
        try harness.grant(Self.period("1", 1, 31))
        var upgraded = Self.period("1", 1, 31, signed: 2)
        upgraded.isUpgraded = true
        try harness.grant(upgraded)
        try harness.grant(Self.period("2", 10, 375, product: "year"))
        #expect(try held(on: 12) == ["castle 1-375", "moat 10-375"])
        let again = try harness.grant(Self.period("1", 1, 31, signed: 1))
        #expect(again.change?.verdict == .ended && again.change?.reason == "superseded")
    }

    @Test func `is told to be over for a proof of a period that has ended`() throws {
        harness.now = Self.moment(40)
        let report = try harness.grant(Self.period("1", 1, 31))
        #expect(report.change?.verdict == .ended && report.change?.reason == "expired")
        #expect(report.recorded == .granted)
        #expect(try told(on: 41).isEmpty, "it was never seen to be held")
    }

    @Test(arguments: [100_000, 30_000])
    func `that was refunded gives nothing from then on, whatever share was refunded`(share: Int) throws {
        try harness.grant(Self.period("1", 1, 31))
        harness.now = Self.moment(10)
        var refund = Self.period("1", 1, 31, signed: 5, revoked: 9)
        (refund.revocationType, refund.revocationPercentage) = ("REFUND_PRORATED", share)
        let report = try harness.grant(refund)
        #expect(report.lines == ["reversal castle -1"] && report.change?.verdict == .ended)
        #expect(try held(on: 10).isEmpty)
        #expect(try subscriptions().map(\.state) == [.revoked])
        #expect(try told(on: 11).isEmpty, "the refund was told")
        #expect(try harness.grant(Self.period("1", 1, 31, signed: 6)).lines == ["reinstatement castle 1"])
        #expect(try held(on: 12) == ["castle 1-31"])
    }

    @Test func `that was refunded before its grant ends the period before it all the same`() throws {
        try harness.grant(Self.period("1", 1, 31))
        try harness.grant(Self.period("2", 10, 40, revoked: 10))
        #expect(try held(on: 9) == ["castle 1-10"])
        #expect(try held(on: 10).isEmpty)
    }

    @Test func `that went on with another buyer gives nothing from then on, and its holder is told`() throws {
        try harness.grant(Self.period("1", 1, 31))
        harness.now = Self.moment(12)
        let second = PurchaseID(unchecked: "2")
        try harness.update(successor: .init(purchaseId: second, purchaseDate: Self.moment(11)))
        let changes = try harness.sent.bodies(HoldingChangedV1.self)
        #expect(changes.map(\.held) == [false] && changes.map(\.reason) == [.updated])
        #expect(try held(on: 10) == ["castle 1-11"])
        #expect(try held(on: 12).isEmpty)
        #expect(try told(on: 13).isEmpty)
    }

    @Test func `shared by the family gives access, and never amounts`() throws {
        let goods = [Catalog.Grant(entitlement: "castle"), Catalog.Grant(entitlement: "coins", amount: 5)]
        harness.sell("pack", goods, type: .nonConsumable)
        var shared = TransactionFacts.facts("7", product: "pack", type: "Non-Consumable")
        shared.inAppOwnershipType = "FAMILY_SHARED"
        #expect(try harness.grant(shared).lines == ["grant castle 1"])
        harness.sell("purse", [.init(entitlement: "coins", amount: 5)], type: .nonConsumable)
        shared = .facts("8", product: "purse", type: "Non-Consumable")
        shared.inAppOwnershipType = "FAMILY_SHARED"
        let report = try harness.grant(shared)
        #expect(report.lines.isEmpty && report.change?.verdict == .granted)
    }

    @Test func `that ends by itself is told once, within its moment`() throws {
        try harness.grant(Self.period("1", 1, 31))
        #expect(harness.workAt == Self.moment(31))
        #expect(try told(on: 30).isEmpty)
        #expect(try harness.due().next == Self.moment(31))
        #expect(try told(on: 31) == ["castle expired"])
        #expect(try told(on: 32).isEmpty)
        #expect(try harness.gauge("holdings_oldest_seconds") == 0)
        try harness.grant(Self.period("2", 40, 70))
        #expect(try told(on: 40) == ["castle begun"])
        #expect(try told(on: 70) == ["castle expired"], "it is told of each end")
    }

    @Test func `that was renewed in time does not end, though the timer comes late`() throws {
        try harness.grant(Self.period("1", 1, 31))
        try harness.grant(Self.period("2", 31, 61))
        #expect(try told(on: 31).isEmpty)
        let grace = RenewalFacts(signedDate: Self.moment(61), gracePeriodExpiresDate: Self.moment(77))
        try harness.update(renewal: grace)
        #expect(try told(on: 61).isEmpty)
        #expect(try subscriptions().map(\.state) == [.grace])
        #expect(try told(on: 77) == ["castle expired"])
    }

    @Test func `beside a purchase for ever never ends`() throws {
        try harness.grant(Self.period("1", 1, 31))
        try harness.grant(.facts("2", product: "castle", type: "Non-Consumable"))
        #expect(try told(on: 31).isEmpty)
        #expect(try held(on: 32) == ["castle 0-ever"])
    }

    @Test func `that ended is told again when Notifications was restored`() throws {
        try harness.grant(Self.period("1", 1, 31))
        #expect(try told(on: 31) == ["castle expired"])
        let messages = try harness.sent.bodies(HoldingChangedV1.self)
        harness.now = Self.moment(50)
        _ = try harness.changesAgain()
        #expect(try harness.sent.bodies(HoldingChangedV1.self) == messages)
    }

    @Test func `of days that were bought is told when they are over, and one taken up later is not`() throws {
        let days = [Catalog.Grant(entitlement: "vip", durationDays: 30)]
        harness.sell("season", days, type: .nonRenewing)
        var season = TransactionFacts.facts("7", product: "season", type: ProductType.nonRenewing)
        season.purchaseDate = Self.moment(1)
        try harness.grant(season)
        try harness.grant(Self.period("1", 1, 31))
        #expect(try told(on: 31) == ["castle expired", "vip expired"])
    }

    @Test func `comes to the same in whatever order its facts come, and however often`() throws {
        let facts = [
            Self.period("1", 1, 31), Self.period("1", 1, 31, signed: 3, revoked: 20),
            Self.period("2", 31, 61), Self.period("3", 40, 405, product: "year", signed: 2),
        ]
        let expected = ["castle 31-405", "moat 40-405"]
        var random = SeededRandom(seed: 11)
        for _ in 0..<50 {
            let own = try `a subscription`()
            for facts in (facts + facts).shuffled(using: &random) { try own.harness.grant(facts) }
            #expect(try own.held(on: 41) == expected)
            #expect(try own.subscriptions().map(\.accessUntil) == [Self.moment(405)])
        }
    }
}
