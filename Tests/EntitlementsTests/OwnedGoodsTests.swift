import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// Ada has a hero by one purchase, and pays for another product that grants the hero.
@Suite struct `a purchase of what is owned already` {
    let harness = EntitlementsHarness()
    static let hero = [Catalog.Grant(entitlement: "hero")]
    static let coins = Catalog.OwnedRule.compensation([.coins(30)])

    init() { harness.sell("hero.set", Self.hero, type: .nonConsumable) }

    private static func facts(
        _ id: String,
        _ product: String = "hero",
        signed: Int64 = 100,
        refunded: Int? = nil
    ) -> TransactionFacts {
        .facts(id, product: product, type: ProductType.nonConsumable, signed: signed, refunded: refunded)
    }

    private func sell(_ rule: Catalog.OwnedRule) {
        harness.sell("hero", Self.hero, type: .nonConsumable, whenOwned: rule)
    }

    @Test func `grants the same once more unless the product says otherwise`() throws {
        sell(.grant)
        try harness.grant(Self.facts("1", "hero.set"))
        #expect(try harness.grant(Self.facts("2")).lines == ["grant hero 1"])
        try harness.grant(Self.facts("1", "hero.set", signed: 200, refunded: 100_000))
        #expect(try harness.held() == "hero 0")
    }

    @Test func `grants its compensation, and a refund takes back what was given`() throws {
        sell(Self.coins)
        try harness.grant(Self.facts("1", "hero.set"))
        #expect(try harness.grant(Self.facts("2")).lines == ["grant coins 30"])
        #expect(try harness.grant(Self.facts("2")).lines.isEmpty, "the same purchase again")
        sell(.grant)
        let refund = Self.facts("2", signed: 200, refunded: 100_000)
        #expect(try harness.grant(refund).lines == ["reversal coins -30"])
        #expect(try harness.held() == "hero 0")
        #expect(try harness.grant(Self.facts("2", signed: 300)).lines == ["reinstatement coins 30"])
        #expect(try harness.held() == "hero 30" && harness.audit().isEmpty)
    }

    @Test func `is parked where the product says so, until an operator decides or it is not owned any more`()
        throws
    {
        sell(.park)
        try harness.grant(Self.facts("1", "hero.set"))
        let parked = try harness.grant(Self.facts("2"))
        #expect(parked.change?.verdict == .parked && parked.change?.reason == "alreadyOwned")
        #expect(harness.alarms.count == 1)
        func retry() throws -> [RetryPage.Item] { try #require(harness.retry().reply).items }
        #expect(try retry().map(\.after) == [RetryPage.ItemStatus("parked", reason: "alreadyOwned")])
        try harness.grant(Self.facts("1", "hero.set", signed: 200, refunded: 100_000))
        #expect(try retry().map(\.after.state) == ["granted"])
        #expect(try harness.held() == "hero 0" && harness.audit().isEmpty)
    }

    @Test func `grants the goods where they are not owned for ever, by this buyer and for money`() throws {
        sell(Self.coins)
        harness.sell("hero.week", [.init(entitlement: "hero", durationDays: 7)], type: .nonRenewing)
        let week = TransactionFacts.facts("1", product: "hero.week", type: ProductType.nonRenewing)
        try harness.grant(week.with(\.purchaseDate, harness.now))
        try harness.grant(Self.facts("2", "hero.set"), to: .eve)
        try harness.grant(Self.facts("3", "hero.set").with(\.environment, .sandbox))
        #expect(try harness.grant(Self.facts("4")).lines == ["grant hero 1"])
        let shared = Self.facts("5").with(\.inAppOwnershipType, "FAMILY_SHARED")
        #expect(try harness.grant(shared).lines == ["grant hero 1"])
    }

    @Test func `of one possession among others that are not owned grants all of them`() throws {
        let goods = Self.hero + [.init(entitlement: "horse"), .coins(5)]
        harness.sell("pair", goods, type: .nonConsumable, whenOwned: Self.coins)
        try harness.grant(Self.facts("1", "hero.set"))
        let pair = try harness.grant(Self.facts("2", "pair")).lines
        #expect(pair == ["grant hero 1", "grant horse 1", "grant coins 5"])
        #expect(try harness.grant(Self.facts("3", "pair")).lines == ["grant coins 30"])
    }

    @Test func `that gave a compensation stays with its buyer when another login restores it`() throws {
        let type = Catalog.ProductType.nonConsumable
        harness.sell("hero", Self.hero, type: type, whenOwned: Self.coins, onOtherLogin: .transfer)
        try harness.grant(Self.facts("1", "hero.set"))
        try harness.grant(Self.facts("2"))
        try harness.take(Self.facts("2"))
        #expect(try harness.only(TransferAnsweredV1.self).isTaken == false)
    }
}
