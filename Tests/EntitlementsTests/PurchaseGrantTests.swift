import Contracts
import Delivery
import TestKit
import Testing

@testable import Entitlements

/// A castle that its buyer restores: one purchase with two transaction ids.
@Suite struct `a purchase with several ids` {
    private let harness = EntitlementsHarness()

    private static func castle(_ id: String, signed: Int64, refunded: Int? = nil) -> TransactionFacts {
        .facts(id, product: "castle", type: "Non-Consumable", signed: signed, refunded: refunded)
            .with(\.originalTransactionId, TransactionID(unchecked: "1"))
            .with(\.purchaseId, PurchaseID(unchecked: "1"))
    }

    @Test(arguments: [["1", "2"], ["2", "1"]]) func `is granted once`(order: [String]) throws {
        #expect(try harness.grant(Self.castle(order[0], signed: 100)).lines == ["grant castle 1"])
        let again = try harness.grant(Self.castle(order[1], signed: 200))
        #expect(again.lines.isEmpty && again.recorded == .granted)
        #expect(again.change?.verdict.finish == true)
        #expect(try harness.entries().map(\.purchaseId?.rawValue) == ["1"])
        #expect(try harness.entries().map(\.transactionId?.rawValue) == [order[0]])
    }

    @Test(arguments: ["1", "2"]) func `goes back with the refund of either, whatever came first`(
        id: String
    ) throws {
        let facts = [
            Self.castle("1", signed: 100), Self.castle("2", signed: 200),
            Self.castle(id, signed: 300, refunded: 100_000),
        ]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let harness = EntitlementsHarness()
            for index in order { try harness.grant(facts[index]) }
            #expect(try harness.holdings().entitlements.isEmpty, "\(order)")
            let sum = try harness.entries().map(\.change).reduce(0, +)
            #expect(sum == 0, "\(order)")
        }
    }

    @Test func `belongs to one buyer under all of its ids`() throws {
        try harness.grant(Self.castle("1", signed: 100))
        let other = try harness.grant(Self.castle("2", signed: 200), to: .eve)
        #expect(other.outcome == .deadLettered("heldByAnotherBuyer"))
    }

    @Test func `goes by the order that Orders names last: a store that lost the first one makes another`()
        throws
    {
        let facts = Self.castle("1", signed: 100)
        try harness.grant(facts)
        let other = OrderID(time: harness.now, shard: Shard(rawValue: 5), random: 2)
        for _ in 0..<2 {
            try harness.give(facts, paying: OrderTerms(orderId: other))
            #expect(try harness.events(GrantRecordedV1.self).last?.data.orderId == other)
            #expect(try harness.entries().map(\.orderId) == [other], "in the one entry that there was")
        }
    }

    @Test func `tells its receipt again under the id that was handed in`() throws {
        let submission = Submission.submission().with(\.transactionId, TransactionID(unchecked: "2"))
        try harness.give(Self.castle("2", signed: 100), submission)
        try harness.grant(Self.castle("1", signed: 200), submitted: false)
        #expect(try harness.changesAgain().compactMap(\.data.submission) == [submission])
    }
}

/// What a game server is told, and is told again after a store was restored.
@Suite struct `a change of the ledger` {
    private static let story: [TransactionFacts] = [
        .facts(signed: 100), .facts(signed: 150), .facts(signed: 200, refunded: 40_000),
        .facts(signed: 250, refunded: 40_000), .facts(signed: 300),
        .facts(signed: 400, refunded: 100_000),
    ]

    /// The ids of changes and of their entries.
    private static func ids(_ changes: [Event<EntitlementChangedV1>]) -> [String] {
        changes.flatMap { [$0.id.rawValue] + $0.data.entries.map(\.entryId) }
    }

    @Test func `is told again under its id, as it was`() throws {
        let harness = EntitlementsHarness()
        let told = try harness.changes(after: Self.story)
        harness.now = harness.now.advanced(by: 1_000_000)
        let again = try harness.changesAgain()
        #expect(told.count == 4)
        #expect(again.map(\.id) == told.map(\.id))
        #expect(again.map(\.time) == told.map(\.time))
        #expect(again.map(\.causationID) == told.map(\.causationID))
        for (first, second) in zip(told, again) { #expect(first.data == second.data) }
    }

    @Test func `has the same id when a forgotten purchase is granted again by a later word on it`() throws {
        let (first, restored) = (EntitlementsHarness(), EntitlementsHarness())
        try first.grant(.facts(signed: 100))
        let before = try first.events(EntitlementChangedV1.self)
        restored.now = restored.now.advanced(by: 500_000)
        try restored.grant(.facts("2000", signed: 50))
        try restored.grant(.facts(signed: 150))
        let after = try restored.events(EntitlementChangedV1.self)
        #expect(Self.ids(after) == Self.ids(before))
    }

    @Test func `has the same id whichever word tells the refund, after the grant or together with it`() throws
    {
        func refund(signed: Int64) -> TransactionFacts {
            .facts(signed: signed, refunded: 40_000).with(\.revocationDate, Timestamp(milliseconds: 150))
        }
        let tellings: [[TransactionFacts]] = [
            [.facts(signed: 100), refund(signed: 200), refund(signed: 300)],
            [.facts(signed: 100), refund(signed: 300)], [refund(signed: 300)],
        ]
        let told = try tellings.map { try Self.ids(EntitlementsHarness().changes(after: $0)) }
        #expect(told[0].count == 4)
        #expect(told[1] == told[0])
        #expect(told[2] == told[0])
    }

    @Test func `has another id where a restored group gives the purchase to another buyer`() throws {
        let told = try [BuyerID.ada, .eve].map { buyer in
            let harness = EntitlementsHarness()
            try harness.grant(.facts(product: "bundle"), to: buyer)
            return try Self.ids(harness.events(EntitlementChangedV1.self))
        }
        #expect(told.map(\.count) == [3, 3])
        #expect(Set(told.joined()).count == 6)
    }

    @Test func `has an id of its own, and so has each of its lines`() throws {
        let other: [TransactionFacts] = [
            .facts("2000"), .facts(environment: .sandbox), .facts("3000", product: "bundle"),
        ]
        let ids = try Self.ids(EntitlementsHarness().changes(after: Self.story + other))
        #expect(ids.count == 15)
        #expect(Set(ids).count == ids.count)
    }
}

extension EntitlementsHarness {
    /// What Notifications is told of these statements, a second after each other.
    fileprivate func changes(
        after statements: [TransactionFacts]
    ) throws -> [Event<EntitlementChangedV1>] {
        try statements.flatMap { facts in
            now = now.advanced(by: 1_000)
            try grant(facts, submitted: false)
            return try events(EntitlementChangedV1.self)
        }
    }
}
