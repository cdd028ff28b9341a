import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

@Suite struct `the used part of a purchase` {
    private static func used(
        of granted: Int64,
        left own: Int64? = nil,
        after older: Int64 = 0,
        spent: Int64
    ) -> Int? {
        ConsumedShare.used(.init(granted: granted, own: own ?? granted, older: older, spent: spent))
    }

    @Test(arguments: [(0, 0, 0), (30, 30_000, 0), (100, 100_000, 0), (150, 100_000, 25_000)])
    func `is of the oldest amounts first`(spent: Int64, first: Int, second: Int) {
        #expect(Self.used(of: 100, spent: spent) == first)
        #expect(Self.used(of: 200, after: 100, spent: spent) == second)
    }

    @Test func `is at most what a prorated refund has left of it`() {
        #expect(Self.used(of: 100, left: 70, spent: 90) == 70_000)
        #expect(Self.used(of: 100, left: 0, spent: 90) == 0)
    }

    @Test func `is nothing that can be told of a purchase without this grant`() {
        #expect(Self.used(of: 0, after: 100, spent: 90) == nil)
        #expect(ConsumedShare.mean([]) == nil && ConsumedShare.mean([10, 20]) == 15)
    }

    @Test func `of the largest amounts does not overflow, and is rounded down`() {
        let most = Wallet.maximumBalance
        #expect(Self.used(of: most, spent: most - 1) == 99_999)
        #expect(Self.used(of: 3, spent: 1) == 33_333)
    }

    @Test(arguments: [(0, 0), (50, 50_000), (100, 100_000), (200, 100_000), (-5, 0)])
    func `of days grows as they go by`(moment: Int64, used: Int) {
        let start = Timestamp(milliseconds: 1_000)
        let span = TimedPossession.Span(
            id: PurchaseID(unchecked: "a"),
            begins: start,
            ends: start.advanced(by: 100)
        )
        #expect(ConsumedShare.used(of: span, at: start.advanced(by: moment)) == used)
    }
}

@Suite struct `a consumption request to the ledger` {
    private let harness = EntitlementsHarness()

    private func consent(_ consumption: Bool) throws -> ConsentV1? {
        let set = ConsentSetV1(bundleId: .game, buyerId: .ada, consumption: consumption)
        return try harness.handle(set, OnConsentSet().callAsFunction).reply
    }

    private func ask(_ facts: TransactionFacts = .facts()) throws -> ConsumptionReportedV1 {
        let request = ConsumptionRequestedV1(
            bundleId: .game,
            buyerId: .ada,
            environment: facts.environment,
            purchaseId: facts.purchaseId,
            transactionId: facts.transactionId,
            originalTransactionId: facts.originalTransactionId
        )
        #expect(try harness.handle(request, OnConsumptionRequested().callAsFunction) == .applied)
        let report = try harness.only(ConsumptionReportedV1.self)
        let chain = PartitionKey.chain(facts.originalTransactionId, of: .game)
        #expect(harness.sent.map(\.to) == [chain.address(in: .receipts, of: 4)])
        return report
    }

    @Test func `is answered with nothing but that there is no consent, unless the buyer agreed`() throws {
        try harness.grant()
        _ = try harness.spend(60)
        let without = try ask()
        #expect(!without.isConsented && without.consumed == nil)
        #expect(try consent(true) == ConsentV1(buyerId: .ada, consumption: true))
        #expect(try consent(true) == ConsentV1(buyerId: .ada, consumption: true))
        let with = try ask()
        #expect(with.isConsented && with.isDelivered && with.consumed == 60_000)
        #expect(try consent(false) == ConsentV1(buyerId: .ada, consumption: false))
        #expect(try !ask().isConsented)
    }

    @Test func `is answered first in, first out over the buyer's purchases of one environment`() throws {
        _ = try consent(true)
        try harness.grant(.facts("1"))
        try harness.grant(.facts("2"))
        try harness.grant(.facts("3", environment: .sandbox))
        _ = try harness.spend(130)
        #expect(try ask(.facts("1")).consumed == 100_000)
        #expect(try ask(.facts("2")).consumed == 30_000)
        #expect(try ask(.facts("3", environment: .sandbox)).consumed == 0)
    }

    @Test func `counts what was earned before it as older, and what came later as newer`() throws {
        _ = try consent(true)
        _ = try harness.credit(50, key: "before")
        try harness.grant()
        _ = try harness.credit(50, key: "after")
        _ = try harness.spend(60)
        #expect(try ask().consumed == 10_000)
    }

    @Test func `is less again when a spend is given back`() throws {
        _ = try consent(true)
        try harness.grant()
        let spend = try #require(harness.spend(60).reply)
        #expect(try ask().consumed == 60_000)
        _ = try harness.reverse(spend.entryId)
        #expect(try ask().consumed == 0)
    }

    @Test func `takes over what was spent of coins that are refunded, and loses it when that is reversed`()
        throws
    {
        _ = try consent(true)
        for id in ["1", "2", "3"] { try harness.grant(.facts(id)) }
        _ = try harness.spend(80)
        #expect(try ask(.facts("2")).consumed == 0)
        try harness.grant(.facts("1", signed: 200, refunded: 100_000))
        #expect(try ask(.facts("1")).consumed == 0)
        #expect(try ask(.facts("2")).consumed == 80_000)
        try harness.grant(.facts("3", signed: 200, refunded: 100_000))
        #expect(try ask(.facts("2")).consumed == 80_000, "a newer one changes nothing")
        try harness.grant(.facts("1", signed: 300))
        #expect(try ask(.facts("2")).consumed == 0)
    }

    @Test
    func `knows nothing of what has turned out to be another buyer's, and whose coins were made up for`()
        throws
    {
        _ = try consent(true)
        harness.rule("coins", .floor)
        try harness.grant(.facts("1"))
        _ = try harness.spend(80)
        try harness.take(.facts("1"), because: .reassign)
        let gone = try ask(.facts("1"))
        #expect(!gone.isDelivered && gone.consumed == nil)
        try harness.grant(.facts("2"))
        #expect(try ask(.facts("2")).consumed == 0, "what was spent was not of these")
        _ = try harness.spend(30, key: "k2")
        #expect(try ask(.facts("2")).consumed == 30_000)
    }

    @Test func `is answered from a ledger of very many entries`() throws {
        _ = try consent(true)
        try harness.grant()
        for number in 1...200 { _ = try harness.spend(1, key: "\(number)") }
        _ = try harness.credit(1_000)
        #expect(try ask().consumed == 100_000)
    }

    @Test func `about goods that have not come says so, and that nothing is used`() throws {
        _ = try consent(true)
        try harness.grant(.facts("1", product: "unknown"))
        let parked = try ask(.facts("1"))
        #expect(parked.isConsented && !parked.isDelivered && parked.consumed == 0)
        let none = try ask(.facts("2"))
        #expect(!none.isDelivered && none.consumed == nil)
        try harness.grant(.facts("3", refunded: 100_000))
        #expect(try !ask(.facts("3")).isDelivered, "refunded before the grant")
    }

    @Test func `names no used part of what lasts for ever, and the mean where goods differ`() throws {
        _ = try consent(true)
        let castle = TransactionFacts.facts("1", product: "castle", type: "Non-Consumable")
        try harness.grant(castle)
        let permanent = try ask(castle)
        #expect(permanent.isDelivered && permanent.consumed == nil)
        try harness.grant(.facts("2", product: "bundle"))
        _ = try harness.spend(25)
        #expect(try ask(.facts("2", product: "bundle")).consumed == 50_000)
    }

    @Test func `names no used part of a period of a subscription`() throws {
        _ = try consent(true)
        let period = TransactionFacts.facts("1", product: "month", type: "Auto-Renewable Subscription")
            .with(\.expiresDate, harness.now.advanced(by: 86_400_000))
        try harness.grant(period)
        let report = try ask(period)
        #expect(report.isDelivered && report.consumed == nil)
    }

    @Test func `counts the days of a possession that have gone by`() throws {
        _ = try consent(true)
        harness.sell("ten.days", [.init(entitlement: "pass", durationDays: 10)], type: .nonRenewing)
        let days = TransactionFacts.facts("1", product: "ten.days", type: "Non-Renewing Subscription")
            .with(\.purchaseDate, harness.now)
        try harness.grant(days)
        harness.now = harness.now.advanced(by: 3 * 86_400_000)
        #expect(try ask(days).consumed == 30_000)
    }
}
