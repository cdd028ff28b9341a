import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

/// What a refund takes of coins that are spent already.
@Suite struct `a balance with a floor` {
    /// A grant of 100 coins, and the lines to which further statements lead.
    private struct Story {
        var grant = Grant(buyerId: .ada)

        mutating func hear(
            _ signed: Int64,
            refunded: Int? = nil,
            balance: Int64? = nil
        ) throws -> [Grant.Line] {
            try grant.apply(
                .facts(signed: signed, refunded: refunded),
                for: .ada,
                offer: .active(type: .consumable, grants: [.coins(100)]),
                floors: balance.map { ["coins": $0] } ?? [:]
            )
        }
    }

    private static func coins(_ kind: LedgerEntry.Kind, _ amount: Int64) -> Grant.Line {
        Grant.Line(kind: kind, entitlement: "coins", amount: amount, undoes: kind.undone)
    }

    @Test(arguments: [(150, 100), (100, 100), (99, 99), (30, 30), (1, 1)] as [(Int64, Int64)])
    func `gives what is there at most, and gets just that back`(balance: Int64, taken: Int64) throws {
        var story = Story()
        _ = try story.hear(100)
        let lines = try story.hear(200, refunded: 100_000, balance: balance)
        #expect(lines == [Self.coins(.reversal, taken)] && story.grant.state == .reversed)
        #expect(try story.hear(300) == [Self.coins(.reinstatement, taken)])
        #expect(story.grant.state == .granted && story.grant.goods.map(\.taken) == [nil])
    }

    @Test(arguments: [0, -20] as [Int64])
    func `that has nothing gives nothing and gets nothing back, but the refund is known`(
        balance: Int64
    ) throws {
        var story = Story()
        _ = try story.hear(100)
        #expect(try story.hear(200, refunded: 100_000, balance: balance).isEmpty)
        #expect(story.grant.state == .reversed)
        #expect(try story.hear(300, balance: balance).isEmpty)
        #expect(story.grant.state == .granted)
    }

    @Test func `gives the rest of a refund that grows as far as it goes`() throws {
        var story = Story()
        _ = try story.hear(100)
        #expect(try story.hear(200, refunded: 30_000, balance: 10) == [Self.coins(.reversal, 10)])
        #expect(try story.hear(300, refunded: 100_000, balance: 500) == [Self.coins(.reversal, 70)])
        #expect(try story.hear(400, refunded: 50_000) == [Self.coins(.reinstatement, 30)])
        #expect(try story.hear(500) == [Self.coins(.reinstatement, 50)])
    }

    @Test func `counts the grant when both are heard at once`() throws {
        var story = Story()
        let lines = try story.hear(100, refunded: 30_000, balance: 0)
        #expect(lines == [Self.coins(.grant, 100), Self.coins(.reversal, 30)])
    }

    @Test func `is not needed to know while nothing is taken back`() throws {
        var story = Story()
        #expect(!story.grant.mayTakeBack(.facts()) && story.grant.mayTakeBack(.facts(refunded: 1)))
        _ = try story.hear(100, refunded: 1)
        #expect(story.grant.mayTakeBack(.facts()))
    }

    @Test func `ends a refund of what was spent at zero, and its reversal gives back what was taken`() throws
    {
        let harness = try EntitlementsHarness.refunded(.floor)
        #expect(try harness.holdings().balances == ["coins": 0])
        #expect(try harness.entries().map(\.change) == [100, -70, -30])
        try harness.grant(.facts(signed: 300))
        #expect(try harness.holdings().balances == ["coins": 30])
        #expect(try harness.entries().map(\.change) == [100, -70, -30, 30])
    }

    @Test func `names the amount in the id of what it took, so that a restored store cannot tell otherwise`()
        throws
    {
        func last(spent: Int64) throws -> LedgerEntry {
            try #require(try EntitlementsHarness.refunded(.floor, spent: spent).entries().last)
        }
        let told = try last(spent: 70)
        #expect(told.amount == 30)
        // A backup from before the spend: the same refund finds another balance.
        let anew = try last(spent: 20)
        #expect(anew.amount == 80 && anew.entryId != told.entryId)
        // One that finds the same writes the same again.
        #expect(try last(spent: 70).entryId == told.entryId)
    }

    @Test func `and a refund that grew name amounts that agree with their ids, whatever was heard before`()
        throws
    {
        func last(_ shares: Int...) throws -> LedgerEntry {
            let harness = EntitlementsHarness()
            try harness.grant(.facts(signed: 100))
            for share in shares {
                let refund = TransactionFacts.facts(signed: 200 + Int64(share), refunded: share)
                try harness.grant(refund.with(\.revocationDate, Timestamp(milliseconds: 150)))
            }
            return try #require(try harness.entries().last)
        }
        let (grown, whole) = (try last(30_000, 50_000), try last(50_000))
        #expect(grown.amount == 20 && whole.amount == 50 && grown.entryId != whole.entryId)
    }

    @Test func `is no rule unless the catalog says so: below zero the buyer owes`() throws {
        let harness = try EntitlementsHarness.refunded(.negative)
        #expect(try harness.holdings().balances == ["coins": -70])
        try harness.grant(.facts(signed: 300))
        #expect(try harness.holdings().balances == ["coins": 30])
    }

    @Test func `that has nothing left ends the purchase without an entry of nothing`() throws {
        let harness = EntitlementsHarness()
        harness.rule("coins", .floor)
        try harness.grant(.facts(signed: 100))
        _ = try harness.spend(100)
        let refund = try harness.grant(.facts(signed: 200, refunded: 100_000))
        #expect(refund.lines.isEmpty && refund.change?.verdict == .ended && refund.recorded == .reversed)
        #expect(try harness.holdings().balances == ["coins": 0])
        #expect(try harness.entries().map(\.kind) == [.grant, .spend])
    }
}
