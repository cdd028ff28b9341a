import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

@Suite struct `a purchase report` {
    private let harness = EntitlementsHarness()

    @Test func `goods of the largest product are told in events that fit, whatever the order says`() throws {
        func quotes(_ count: Int) -> String { String(repeating: "\"", count: count) }
        let names = (1...Catalog.maximumGrants).map { "\($0)" + quotes(126) }
        harness.sell(quotes(255), names.map { Catalog.Grant(entitlement: $0, amount: 1) })
        let order = OrderTerms(
            orderId: OrderTerms.studio.orderId,
            reference: quotes(128),
            metadata: ["a": .string(quotes(1_020))]
        )
        let report = PurchaseReportedV1(
            buyerId: BuyerID(unchecked: quotes(128)),
            order: order,
            transaction: .facts("1", product: quotes(255)),
            submission: .submission()
        )
        try harness.handle(report, OnPurchaseReported(catalog: harness.catalog).callAsFunction)
        let changes = try harness.events(EntitlementChangedV1.self)
        #expect(changes.map(\.data.entries.count) == [8, 8] && Set(changes.map(\.id)).count == 2)
        #expect(changes.flatMap(\.data.entries).map(\.entitlement) == names)
        #expect(changes.map { $0.data.submission != nil } == [false, true], "the last one answers")
    }

    @Test func `puts the goods into the ledger and says so once each`() throws {
        let result = try harness.grant()
        #expect(result.outcome == .applied)
        #expect(result.lines == ["grant coins 100"])
        #expect(result.change?.verdict == .granted)
        #expect(result.change?.submission == Submission.submission())
        #expect(result.change?.order == OrderTerms.studio)
        #expect(result.recorded == .granted)
        let entry = try #require(result.change?.entries.first)
        #expect(entry.reference == "studio-17" && entry.metadata == ["level": .integer(3)])
        #expect(try harness.holdings().balances == ["coins": 100])
    }

    @Test func `goes to the buyer's partition of Notifications and the order's of Orders`() throws {
        try harness.grant()
        let buyer = PartitionKey.buyer(BuyerID.ada, of: BundleID.game).shard.partition(of: 4)
        let order = OrderTerms.studio.orderId.shard.partition(of: 4)
        let targets = [PartitionAddress(.notifications, buyer), PartitionAddress(.orders, order)]
        #expect(Set(harness.sent.map(\.to)) == Set(targets))
        #expect(harness.sent.allSatisfy { $0.subject == "com.example.game/ada" })
    }

    @Test func `that is repeated grants nothing again and leaves no trace`() throws {
        try harness.grant()
        let before = try harness.contents()
        let again = try harness.grant()
        #expect(again.lines.isEmpty)
        #expect(again.change?.verdict == .granted)
        #expect(again.recorded == .granted)
        #expect(try harness.contents() == before)
    }

    @Test
    func `tells since when the ledger has the goods, at every repetition, and not once they are taken back`()
        throws
    {
        let since = harness.now
        #expect(try harness.grant(.facts(signed: 100)).change?.grantedAt == since)
        harness.now = harness.now.advanced(by: 5_000)
        #expect(try harness.grant(.facts(signed: 100)).change?.grantedAt == since)
        let refund = try harness.grant(.facts(signed: 200, refunded: 100_000))
        #expect(refund.change?.verdict == .ended && refund.change?.grantedAt == nil)
        let stale = try harness.grant(.facts(signed: 100))
        #expect(stale.change?.verdict == .ended && stale.change?.reason == "refunded")
        let back = try harness.grant(.facts(signed: 300))
        #expect(back.change?.verdict == .granted && back.change?.grantedAt == since)
    }

    @Test func `without news and without a phone that waits tells only Orders`() throws {
        #expect(try harness.grant(submitted: false).change?.entries.count == 1)
        let again = try harness.grant(submitted: false)
        #expect(again.change == nil)
        #expect(again.recorded == .granted)
    }

    /// Apple's statement adds these lines to the ledger, and leads to this verdict.
    private func state(_ facts: TransactionFacts, _ lines: String..., verdict: Verdict) throws {
        let result = try harness.grant(facts)
        #expect(result.lines == lines)
        #expect(result.change?.verdict == verdict)
        #expect(result.change?.reason == (verdict == .ended ? "refunded" : nil))
        #expect(result.recorded == (verdict == .ended ? .reversed : .granted))
        #expect(try #require(result.change).entries.allSatisfy { $0.productId == facts.productId })
    }

    private func possessions() throws -> [String] { try harness.holdings().entitlements.map(\.entitlement) }

    @Test func `of several pieces multiplies the amount`() throws {
        try state(.facts(quantity: 3), "grant coins 300", verdict: .granted)
        #expect(try harness.holdings().balances == ["coins": 300])
    }

    @Test func `for a retired product yields its replacement`() throws {
        try state(.facts(product: "old.replaced", quantity: 2), "grant gems 14", verdict: .granted)
    }

    @Test func `whose refund came first finds a tombstone and grants nothing`() throws {
        try state(.facts(signed: 200, refunded: 100_000), verdict: .ended)
        try state(.facts(signed: 100), verdict: .ended)
        #expect(try harness.holdings().balances.isEmpty)
    }

    @Test func `that is retried after its refund puts nothing back`() throws {
        try state(.facts(signed: 100), "grant coins 100", verdict: .granted)
        try state(.facts(signed: 200, refunded: 100_000), "reversal coins -100", verdict: .ended)
        for stale in [100, 150, 199] as [Int64] { try state(.facts(signed: stale), verdict: .ended) }
        #expect(try harness.holdings().balances == ["coins": 0])
    }

    @Test func `with a newer signature without refund gives the goods back`() throws {
        try state(.facts(signed: 100), "grant coins 100", verdict: .granted)
        try state(.facts(signed: 200, refunded: 100_000), "reversal coins -100", verdict: .ended)
        try state(.facts(signed: 300), "reinstatement coins 100", verdict: .granted)
        try state(.facts(signed: 200, refunded: 100_000), verdict: .granted)
        #expect(try harness.holdings().balances == ["coins": 100])
    }

    @Test func `whose refund was reversed before it grants for the first time`() throws {
        try state(.facts(signed: 200, refunded: 100_000), verdict: .ended)
        try state(.facts(signed: 300), "grant coins 100", verdict: .granted)
    }

    @Test func `that is prorated takes back a share, rounded up, and leaves possessions`() throws {
        try harness.grant(.facts(product: "bundle", signed: 100))
        let part = TransactionFacts.facts(product: "bundle", signed: 200, refunded: 33_333)
        try state(part, "reversal coins -17", verdict: .granted)
        #expect(try possessions() == ["castle"])
        let whole = TransactionFacts.facts(product: "bundle", signed: 300, refunded: 100_000)
        try state(whole, "reversal coins -33", "reversal castle -1", verdict: .ended)
        #expect(try possessions().isEmpty)
        #expect(try harness.holdings().balances == ["coins": 0])
    }

    @Test func `of a possession given twice ends only with the last of them`() throws {
        let type = "Non-Consumable"
        for id in ["1", "2"] { try harness.grant(.facts(id, product: "castle", type: type, signed: 100)) }
        #expect(try possessions() == ["castle"])
        for (id, left) in [("1", ["castle"]), ("2", [])] {
            try harness.grant(.facts(id, product: "castle", type: type, signed: 200, refunded: 100_000))
            #expect(try possessions() == left)
        }
    }

    @Test func `with a refund takes back what was given, below zero if it was spent elsewhere`() throws {
        for id in ["1", "2"] { try state(.facts(id), "grant coins 100", verdict: .granted) }
        try state(.facts("1", signed: 200, refunded: 100_000), "reversal coins -100", verdict: .ended)
        #expect(try harness.holdings().balances == ["coins": 100])
        harness.sell("coins.100", [.coins(1)])
        try state(.facts("2", signed: 200, refunded: 100_000), "reversal coins -100", verdict: .ended)
        #expect(try harness.holdings().balances == ["coins": 0])
    }

    @Test func `in the sandbox never touches production balances`() throws {
        try harness.grant(.facts(environment: .sandbox))
        #expect(try harness.holdings(.production).balances.isEmpty)
        #expect(try harness.holdings(.sandbox).balances == ["coins": 100])
        #expect(try harness.grant(.facts(environment: .production)).lines == ["grant coins 100"])
        try harness.grant(.facts(environment: .sandbox, signed: 200, refunded: 100_000))
        #expect(try harness.holdings(.production).balances == ["coins": 100])
        #expect(try harness.holdings(.sandbox).balances == ["coins": 0])
    }

    @Test
    func `of days that were bought is held until they end, longer with more, and shorter after a refund`()
        throws
    {
        harness.sell("season", [.init(entitlement: "vip", durationDays: 30)], type: .nonRenewing)
        func season(
            _ id: String,
            quantity: Int = 1,
            signed: Int64 = 100,
            refunded: Int? = nil
        ) -> TransactionFacts {
            .facts(
                id,
                product: "season",
                quantity: quantity,
                type: "Non-Renewing Subscription",
                signed: signed,
                refunded: refunded
            )
        }
        let (start, day) = (season("1").purchaseDate.milliseconds, TimedPossession.millisecondsPerDay)
        func expires() throws -> Int64? {
            try harness.holdings().entitlements.first?.expires.map { ($0.milliseconds - start) / day }
        }
        harness.now = Timestamp(milliseconds: start)
        try harness.grant(season("1"))
        #expect(try expires() == 30)
        try harness.grant(season("2", quantity: 2))
        #expect(try expires() == 90)
        try harness.grant(season("1", signed: 200, refunded: 100_000))
        #expect(try expires() == 60)
        harness.now = Timestamp(milliseconds: start + 60 * day)
        #expect(try harness.holdings().entitlements.isEmpty)
        try harness.grant(season("1", signed: 300))
        #expect(try expires() == 90, "the refund was reversed")
    }

    @Test(arguments: [
        ("old.undecided", "Consumable", "retiredProduct"), ("never.heard", "Consumable", "unknownProduct"),
        ("never.heard", "Auto-Renewable Subscription", "unknownProduct"),
        ("coins.100", "Non-Consumable", "typeMismatch"), ("month", "Consumable", "typeMismatch"),
        ("old.undecided", "Non-Consumable", "typeMismatch"), ("coins.100", "Something newer", "typeMismatch"),
    ])
    func `that the catalog does not answer is parked with its reason`(
        product: String,
        type: String,
        reason: String
    ) throws {
        let result = try harness.grant(.facts(product: product, type: type))
        #expect(result.lines.isEmpty)
        #expect(result.change?.verdict == .parked && result.change?.reason == reason)
        #expect(result.recorded == .parked)
        #expect(harness.alarms == ["a purchase of \(product) is parked: \(reason)"])
        try harness.grant(.facts(product: product, type: type))
        #expect(harness.alarms.isEmpty, "it is told once")
        harness.now = harness.now.advanced(by: 60_000)
        #expect(try harness.gauge("grants_parked") == 1)
        #expect(try harness.gauge("grants_parked_oldest_seconds") == 60)
    }

    @Test func `of an old receipt that states no type is granted by the catalog's`() throws {
        try state(.facts("1", type: ""), "grant coins 100", verdict: .granted)
        try state(.facts("2", product: "castle", type: ""), "grant castle 1", verdict: .granted)
    }

    @Test func `of a type that differs from the catalog's is granted once the catalog has Apple's`() throws {
        let lifetime = TransactionFacts.facts(product: "coins.100", type: "Non-Consumable")
        #expect(try harness.grant(lifetime).change?.reason == "typeMismatch")
        harness.sell("coins.100", [.coins(9)], type: .nonConsumable)
        try state(lifetime, "grant coins 9", verdict: .granted)
    }

    @Test func `records the catalog by which its goods came, whatever is loaded when they go and come back`()
        throws
    {
        func recorded() throws -> [String?] {
            try harness.rows("SELECT catalog_version FROM grants").map { try $0["catalog_version"] }
        }
        try harness.grant(.facts(product: "never.heard", signed: 100))
        #expect(try recorded() == [nil])
        harness.sell("never.heard", [.coins(5)])
        let version = harness.catalog.version
        try harness.grant(.facts(product: "never.heard", signed: 100))
        #expect(try recorded() == [version])
        harness.sell("never.heard", [.coins(6)])
        #expect(harness.catalog.version != version)
        for (signed, refunded) in [(200, 100_000), (300, nil)] as [(Int64, Int?)] {
            try harness.grant(.facts(product: "never.heard", signed: signed, refunded: refunded))
            #expect(try recorded() == [version])
        }
    }

    @Test func `that was parked is judged anew once the catalog has changed`() throws {
        try harness.grant(.facts(product: "never.heard"))
        harness.sell("never.heard", [.coins(5)], retired: .undecided)
        #expect(try harness.grant(.facts(product: "never.heard")).change?.reason == "retiredProduct")
        harness.sell("never.heard", [.coins(5)])
        let judged = try harness.grant(.facts(product: "never.heard"))
        #expect(judged.lines == ["grant coins 5"])
        #expect(judged.change?.verdict == .granted && judged.recorded == .granted)
    }

    @Test
    func `that was parked and is refunded ends for everyone, though no phone waits and no line is written`()
        throws
    {
        try harness.grant(.facts(product: "never.heard", signed: 100))
        let refunded = TransactionFacts.facts(product: "never.heard", signed: 200, refunded: 100_000)
        let refund = try harness.grant(refunded, submitted: false)
        #expect(refund.lines.isEmpty)
        #expect(refund.change?.verdict == .ended && refund.change?.reason == "refunded")
        #expect(try harness.grant(refunded, submitted: false).change == nil)
    }

    @Test func `for a transaction of another buyer is dead-lettered and changes nothing`() throws {
        try harness.grant()
        let before = try harness.contents()
        let stolen = try harness.grant(to: .eve)
        #expect(stolen.outcome == .deadLettered("heldByAnotherBuyer"))
        #expect(harness.sent.isEmpty)
        #expect(try harness.contents() == before)
    }
}
