import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// Ada's subscription to a castle, which the catalog sells by the month.
@Suite struct `a subscription` {
    let harness = EntitlementsHarness()

    init() {
        harness.sell("year", [.castle, .init(entitlement: "moat")], type: .autoRenewable)
        harness.now = .day(1)
    }

    /// A period of the chain `1`, by its first day and the one after its last.
    static func period(
        _ id: String,
        _ begins: Int64,
        _ expires: Int64,
        product: String = "month",
        signed: Int64 = 1,
        revoked: Int64? = nil
    ) -> TransactionFacts {
        let type = ProductType.autoRenewable
        var facts = TransactionFacts.facts(id, product: product, type: type, signed: signed)
        facts.originalTransactionId = TransactionID(unchecked: "1")
        facts.purchaseDate = .day(begins)
        facts.expiresDate = .day(expires)
        facts.revocationDate = revoked.map(Timestamp.day)
        facts.subscriptionGroupIdentifier = "group"
        facts.inAppOwnershipType = "PURCHASED"
        return facts
    }

    /// What is held on a day, as the entitlement and the days between which it is.
    private func held(on day: Int64) throws -> [String] {
        harness.now = .day(day)
        return try harness.holdings().entitlements.map {
            let end = $0.expires.map { "\($0.day)" } ?? "ever"
            return "\($0.entitlement) \($0.since.day)-\(end)"
        }
    }

    /// What is told on a day because time has passed, as the entitlement and why.
    private func told(on day: Int64) throws -> [String] {
        harness.now = .day(day)
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
        let renewal = RenewalFacts(signedDate: .day(2), autoRenewStatus: 1, autoRenewProductId: next)
        try harness.update(renewal: renewal)
        harness.now = .day(5)
        var expected = SubscriptionsV1.Subscription(
            originalTransactionId: TransactionID(unchecked: "1"),
            productId: ProductID(unchecked: "month"),
            state: .active,
            transactionId: TransactionID(unchecked: "1"),
            environment: .production
        )
        (expected.groupId, expected.ownership) = ("group", "PURCHASED")
        (expected.accessUntil, expected.expires) = (Timestamp.day(61), Timestamp.day(31))
        (expected.autoRenew, expected.autoRenewProductId) = (true, next)
        expected.offer = .init(type: 3, identifier: "spring", discountType: "FREE_TRIAL")
        #expect(try harness.subscriptions() == [expected])
        harness.now = .day(70)
        (expected.state, expected.transactionId) = (.expired, TransactionID(unchecked: "2"))
        (expected.expires, expected.offer) = (Timestamp.day(61), nil)
        #expect(try harness.subscriptions() == [expected])
    }

    @Test func `of a product that is parked gives nothing, and says so until an operator decides`() throws {
        harness.sell("gone", [.castle], type: .autoRenewable, retired: .undecided)
        try harness.grant(Self.period("1", 1, 31, product: "gone"))
        harness.now = .day(5)
        let parked = try #require(harness.subscriptions().first)
        #expect(parked.state == .parked && parked.accessUntil == nil && parked.expires == Timestamp.day(31))
        #expect(try held(on: 5).isEmpty)
        harness.sell("gone", [.castle], type: .autoRenewable)
        _ = try harness.retry()
        let judged = try #require(harness.subscriptions().first)
        #expect(judged.state == .active && judged.accessUntil == Timestamp.day(31))
        #expect(try held(on: 5) == ["castle 1-31"])
    }

    @Test func `of one environment is none of the other, and one-time purchases are no subscriptions`() throws
    {
        try harness.grant(Self.period("1", 1, 31).with(\.environment, .sandbox))
        try harness.grant(.facts("2", product: "castle", type: "Non-Consumable"))
        #expect(try harness.subscriptions().isEmpty)
        #expect(try held(on: 5) == ["castle 0-ever"])
    }

    /// Puts both products into one group, with these ranks.
    private func rank(month: Int?, year: Int?) {
        let ranks = ["month": month, "year": year].compactMapValues(\.self)
        harness.change { product in
            product.subscriptionGroup = "group"
            product.rank = ranks[product.productId.rawValue]
        }
    }

    @Test(arguments: [(nil, nil), (1, 1), (1, 2), (2, 1)] as [(Int?, Int?)])
    func `gives the same whatever ranks its products have, up and down`(month: Int?, year: Int?) throws {
        rank(month: month, year: year)
        try harness.grant(Self.period("1", 1, 31))
        try harness.grant(Self.period("2", 10, 375, product: "year"))
        #expect(try held(on: 12) == ["castle 1-375", "moat 10-375"])
        #expect(try harness.subscriptions().map(\.accessUntil) == [Timestamp.day(375)])
        let down = `a subscription`()
        down.rank(month: month, year: year)
        try down.harness.grant(Self.period("1", 1, 366, product: "year"))
        try down.harness.grant(Self.period("2", 10, 40))
        #expect(try down.held(on: 12) == ["castle 1-40"])
        #expect(try down.harness.subscriptions().map(\.accessUntil) == [Timestamp.day(40)])
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
        #expect(try harness.subscriptions().map(\.accessUntil) == [Timestamp.day(45)])
        #expect(try harness.entries().map(\.kind) == [.grant])
        #expect(try told(on: 45) == ["castle expired"])
    }

    @Test func `that a family member pays for gives access in its periods, and never amounts`() throws {
        harness.sell("club", [.castle, .coins(5)], type: .autoRenewable)
        let shared = Self.period("1", 1, 31, product: "club").with(\.inAppOwnershipType, "FAMILY_SHARED")
        let report = try harness.grant(shared)
        #expect(report.lines == ["grant castle 1"] && report.change?.verdict == .granted)
        #expect(try held(on: 30) == ["castle 1-31"])
        #expect(try harness.holdings().balances.isEmpty)
        #expect(try harness.subscriptions().map(\.ownership) == ["FAMILY_SHARED"])
        #expect(try harness.subscriptions().map(\.state) == [.active])
        #expect(try held(on: 31).isEmpty)
    }

    @Test func `that was upgraded gives what the new product gives, at once`() throws {
        try harness.grant(Self.period("1", 1, 31))
        try harness.grant(Self.period("1", 1, 31, signed: 2).with(\.isUpgraded, true))
        try harness.grant(Self.period("2", 10, 375, product: "year"))
        #expect(try held(on: 12) == ["castle 1-375", "moat 10-375"])
        let again = try harness.grant(Self.period("1", 1, 31, signed: 1))
        #expect(again.change?.verdict == .ended && again.change?.reason == "superseded")
    }

    @Test func `is told to be over for a proof of a period that has ended`() throws {
        harness.now = .day(40)
        let report = try harness.grant(Self.period("1", 1, 31))
        #expect(report.change?.verdict == .ended && report.change?.reason == "expired")
        #expect(report.recorded == .granted)
        #expect(try told(on: 41).isEmpty, "it was never seen to be held")
    }

    @Test(arguments: [100_000, 30_000])
    func `that was refunded gives nothing from then on, whatever share was refunded`(share: Int) throws {
        try harness.grant(Self.period("1", 1, 31))
        harness.now = .day(10)
        var refund = Self.period("1", 1, 31, signed: 5, revoked: 9)
        (refund.revocationType, refund.revocationPercentage) = ("REFUND_PRORATED", share)
        let report = try harness.grant(refund)
        #expect(report.lines == ["reversal castle -1"] && report.change?.verdict == .ended)
        #expect(try held(on: 10).isEmpty)
        #expect(try harness.subscriptions().map(\.state) == [.revoked])
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
        harness.now = .day(12)
        let second = PurchaseID(unchecked: "2")
        try harness.update(successor: .init(purchaseId: second, purchaseDate: .day(11)))
        let changes = try harness.sent.bodies(HoldingChangedV1.self)
        #expect(changes.map(\.held) == [false] && changes.map(\.reason) == [.updated])
        #expect(try held(on: 10) == ["castle 1-11"])
        #expect(try held(on: 12).isEmpty)
        #expect(try told(on: 13).isEmpty)
    }

    @Test func `shared by the family gives access, and never amounts`() throws {
        func share(_ id: String, _ product: String) throws -> GrantReport {
            let facts = TransactionFacts.facts(id, product: product, type: "Non-Consumable")
            return try harness.grant(facts.with(\.inAppOwnershipType, "FAMILY_SHARED"))
        }
        harness.sell("pack", [.castle, .coins(5)], type: .nonConsumable)
        #expect(try share("7", "pack").lines == ["grant castle 1"])
        harness.sell("purse", [.coins(5)], type: .nonConsumable)
        let report = try share("8", "purse")
        #expect(report.lines.isEmpty && report.change?.verdict == .granted)
    }

    @Test func `that ends by itself is told once, within its moment`() throws {
        try harness.grant(Self.period("1", 1, 31))
        #expect(harness.workAt == Timestamp.day(31))
        #expect(try told(on: 30).isEmpty)
        #expect(try harness.due().next == Timestamp.day(31))
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
        let grace = RenewalFacts(signedDate: .day(61), gracePeriodExpiresDate: .day(77))
        try harness.update(renewal: grace)
        #expect(try told(on: 61).isEmpty)
        #expect(try harness.subscriptions().map(\.state) == [.grace])
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
        harness.now = .day(50)
        _ = try harness.changesAgain()
        #expect(try harness.sent.bodies(HoldingChangedV1.self) == messages)
    }

    @Test func `of days that were bought is told when they are over, and one taken up later is not`() throws {
        harness.sell("season", [.init(entitlement: "vip", durationDays: 30)], type: .nonRenewing)
        let season = TransactionFacts.facts("7", product: "season", type: ProductType.nonRenewing)
        try harness.grant(season.with(\.purchaseDate, .day(1)))
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
            let own = `a subscription`()
            for facts in (facts + facts).shuffled(using: &random) { try own.harness.grant(facts) }
            #expect(try own.held(on: 41) == expected)
            #expect(try own.harness.subscriptions().map(\.accessUntil) == [Timestamp.day(405)])
        }
    }
}
