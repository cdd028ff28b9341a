import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

/// The rules of refunds, each at the core and through the service, for a purchase of 100 coins.
@Suite struct `a refund` {
    /// What Apple says, in order: when it was signed, and the refunded share.
    private typealias Statement = (signed: Int64, refunded: Int?)

    /// Checks what each statement moves, and where the grant ends.
    private func expect(
        _ changes: [Int64],
        _ state: Grant.State,
        after statements: Statement...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var grant = Grant(buyerId: .ada)
        let lines = try statements.flatMap { signed, refunded in
            try grant.apply(
                .facts(signed: signed, refunded: refunded),
                for: .ada,
                offer: .active(type: .consumable, grants: [.coins(100)])
            )
        }
        let moved = lines.map { $0.kind.isForBuyer ? $0.amount : -$0.amount }
        #expect(moved == changes && grant.state == state, "core", sourceLocation: sourceLocation)
        let harness = EntitlementsHarness()
        for (signed, refunded) in statements {
            try harness.grant(.facts(signed: signed, refunded: refunded))
        }
        let entries = try harness.entries()
        #expect(entries.map(\.change) == changes, "service", sourceLocation: sourceLocation)
        #expect(Set(entries.map(\.entryId)).count == entries.count, sourceLocation: sourceLocation)
        let balance = try harness.holdings().balances["coins"] ?? 0
        #expect(balance == changes.reduce(0, +), sourceLocation: sourceLocation)
    }

    @Test func `in full takes everything back`() throws {
        try expect([100, -100], .reversed, after: (100, nil), (200, 100_000))
    }

    @Test func `that is prorated takes its share back`() throws {
        try expect([100, -30], .granted, after: (100, nil), (200, 30_000))
    }

    @Test func `that is reversed gives everything back`() throws {
        try expect([100, -100, 100], .granted, after: (100, nil), (200, 100_000), (300, nil))
        try expect([100, -30, 30], .granted, after: (100, nil), (200, 30_000), (300, nil))
    }

    @Test func `whose reversal is reversed takes everything back again`() throws {
        try expect(
            [100, -100, 100, -100],
            .reversed,
            after: (100, nil),
            (200, 100_000),
            (300, nil),
            (400, 100_000)
        )
    }

    @Test func `of the same day whose reversal is reversed is an entry of its own`() throws {
        let harness = EntitlementsHarness()
        let statements: [Statement] = [(100, nil), (200, 100_000), (300, nil), (400, 100_000)]
        for (signed, refunded) in statements {
            let day = refunded.map { _ in Timestamp(milliseconds: 150) }
            try harness.grant(.facts(signed: signed, refunded: refunded).with(\.revocationDate, day))
        }
        let entries = try harness.entries()
        #expect(entries.map(\.change) == [100, -100, 100, -100])
        #expect(Set(entries.map(\.entryId)).count == 4)
    }

    @Test func `before the grant leaves a tombstone, and nothing is granted later`() throws {
        try expect([], .tombstone, after: (200, 100_000), (100, nil))
        try expect([100], .granted, after: (200, 100_000), (100, nil), (300, nil))
    }

    @Test func `of something spent leaves a debt, and its reversal pays just that`() throws {
        let harness = try EntitlementsHarness.refunded()
        #expect(try harness.holdings().balances == ["coins": -70])
        try harness.grant(.facts(signed: 300))
        #expect(try harness.holdings().balances == ["coins": 30])
    }

    @Test func `of something spent stops at a floor, and its reversal gives back what was taken`() throws {
        let harness = try EntitlementsHarness.refunded(.floor)
        #expect(try harness.holdings().balances == ["coins": 0])
        try harness.grant(.facts(signed: 300))
        #expect(try harness.holdings().balances == ["coins": 30])
        try harness.grant(.facts(signed: 400, refunded: 100_000))
        #expect(try harness.entries().map(\.change) == [100, -70, -30, 30, -30])
    }
}
