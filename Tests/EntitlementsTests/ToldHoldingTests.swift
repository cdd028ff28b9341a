import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// A server that believes what it is told, holding by holding, and nothing else.
private struct NaiveServer {
    /// By buyer and entitlement; nil is for ever.
    private var held: [BuyerID: [String: Timestamp?]] = [:]

    mutating func take(_ messages: [HoldingChangedV1]) {
        for message in messages {
            held[message.buyerId, default: [:]][message.entitlement] =
                message.held ? .some(message.expires) : nil
        }
    }

    /// As the entitlement and the day on which it ends.
    func holdings(of buyer: BuyerID) -> [String] {
        held[buyer, default: [:]].map { "\($0.key) \(Self.day($0.value))" }.sorted()
    }

    static func day(_ end: Timestamp?) -> String {
        end.map { "\($0.day)" } ?? "ever"
    }
}

/// A server by the rule that was, which is wrong: it adds possessions up like amounts, and ends them when they expire.
private struct AddingServer {
    private var sums: [BuyerID: [String: Int64]] = [:]

    mutating func take(_ changes: [EntitlementChangedV1], _ holdings: [HoldingChangedV1]) {
        for change in changes {
            for entry in change.entries {
                sums[change.buyerId, default: [:]][entry.entitlement, default: 0] += entry.change
            }
        }
        for holding in holdings where holding.reason == .expired {
            sums[holding.buyerId, default: [:]][holding.entitlement] = 0
        }
    }

    func holds(_ entitlement: String, _ buyer: BuyerID) -> Bool {
        sums[buyer, default: [:]][entitlement, default: 0] > 0
    }
}

/// Subscriptions and packs of 30 days that give one entitlement; Eve may restore what Ada has.
@Suite struct `what a server is told of holdings` {
    private let harness = EntitlementsHarness()
    private let server: Box<NaiveServer>
    private let adding: Box<AddingServer>

    /// Shared by the steps of a test.
    private final class Box<Value> {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    init() {
        (server, adding) = (Box(NaiveServer()), Box(AddingServer()))
        harness.sell("year", [.castle, .init(entitlement: "moat")], type: .autoRenewable)
        harness.sell("pack", [.init(entitlement: "castle", durationDays: 30)], type: .nonRenewing)
        harness.change { $0.onOtherLogin = .transfer }
        harness.now = .day(1)
    }

    private static func period(
        _ id: String,
        _ begins: Int64,
        _ ends: Int64,
        signed: Int64 = 1
    ) -> TransactionFacts {
        `a subscription`.period(id, begins, ends, signed: signed)
    }

    private static func pack(_ id: String, on day: Int64, refunded: Bool = false) -> TransactionFacts {
        TransactionFacts.facts(
            id,
            product: "pack",
            type: ProductType.nonRenewing,
            signed: refunded ? 9 : 1,
            refunded: refunded ? 100_000 : nil
        ).with(\.purchaseDate, .day(day))
    }

    /// The server takes what the last message led to.
    private func listen() throws -> [String] {
        let messages = try harness.sent.bodies(HoldingChangedV1.self)
        server.value.take(messages)
        adding.value.take(try harness.sent.bodies(EntitlementChangedV1.self), messages)
        return messages.map {
            let what = $0.held ? "until \(NaiveServer.day($0.expires))" : "not held"
            return "\($0.buyerId == .ada ? "" : "\($0.buyerId) ")\($0.entitlement) \(what), \($0.reason)"
        }
    }

    @discardableResult
    private func grant(_ facts: TransactionFacts, to buyer: BuyerID = .ada) throws -> [String] {
        try harness.grant(facts, to: buyer)
        return try listen()
    }

    @discardableResult
    private func update(_ renewal: RenewalFacts) throws -> [String] {
        try harness.update(renewal: renewal)
        return try listen()
    }

    /// What is told on a day because time has passed.
    @discardableResult
    private func told(on day: Int64) throws -> [String] {
        harness.now = .day(day)
        return try harness.due().items.flatMap { item in
            try harness.transact { try HoldingTimer().run(item.key, in: $0) }
            return try listen()
        }
    }

    /// What the server believes is what it would be answered.
    private func agrees(_ buyers: [BuyerID] = [.ada]) throws -> Bool {
        try buyers.allSatisfy { buyer in
            let held = try harness.holdings(of: buyer).entitlements
                .map { "\($0.entitlement) \(NaiveServer.day($0.expires))" }
            return held.sorted() == server.value.holdings(of: buyer)
        }
    }

    @Test func `a refund of the period that runs ends it, though an earlier one was paid for`() throws {
        #expect(try grant(Self.period("1", 1, 31)) == ["castle until 31, granted"])
        #expect(try grant(Self.period("2", 31, 61)) == ["castle until 61, granted"])
        #expect(try told(on: 35).isEmpty)
        let refund = Self.period("2", 31, 61, signed: 5).with(\.revocationDate, .day(35))
        #expect(try grant(refund) == ["castle not held, refunded"])
        #expect(try agrees())
        #expect(adding.value.holds("castle", .ada), "it would serve for ever")
        #expect(try grant(Self.period("2", 31, 61, signed: 6)) == ["castle until 61, refundReversed"])
        #expect(try agrees())
    }

    @Test func `a refund of the first of two packs of days ends what the second gives now`() throws {
        harness.now = .day(1)
        #expect(try grant(Self.pack("7", on: 0)) == ["castle until 30, granted"])
        #expect(try grant(Self.pack("8", on: 1)) == ["castle until 60, granted"])
        #expect(try told(on: 40).isEmpty)
        #expect(try grant(Self.pack("7", on: 0, refunded: true)) == ["castle not held, refunded"])
        #expect(try agrees())
        #expect(adding.value.holds("castle", .ada), "it would serve for ever")
    }

    @Test func `a running period that another login restores is told to both`() throws {
        try grant(Self.period("1", 1, 31))
        let running = Self.period("2", 31, 61)
        try grant(running)
        #expect(try told(on: 35).isEmpty)
        try harness.take(running)
        #expect(try listen() == ["castle not held, transferred"])
        try harness.give(running, to: .eve, by: 1)
        #expect(try listen() == ["\(BuyerID.eve) castle until 61, transferred"])
        #expect(try agrees([.ada, .eve]))
        #expect(adding.value.holds("castle", .ada), "it would serve both")
    }

    @Test func `a grace period and an extension give back what had expired`() throws {
        try grant(Self.period("1", 1, 31))
        #expect(try told(on: 31) == ["castle not held, expired"])
        harness.now = .day(33)
        let grace = RenewalFacts(signedDate: .day(32), gracePeriodExpiresDate: .day(47))
        #expect(try update(grace) == ["castle until 47, updated"])
        #expect(try agrees())
        #expect(!adding.value.holds("castle", .ada), "it would never serve again")
        #expect(try told(on: 47) == ["castle not held, expired"])
        #expect(try grant(Self.period("1", 1, 60, signed: 9)) == ["castle until 60, updated"])
        #expect(try agrees())
        let shorter = Self.period("1", 1, 50, signed: 10)
        #expect(try grant(shorter) == ["castle until 50, updated"])
        #expect(try agrees())
    }

    @Test func `what is held for ever is told once, and time changes nothing of it`() throws {
        let castle = TransactionFacts.facts("2", product: "castle", type: ProductType.nonConsumable)
        #expect(try grant(castle) == ["castle until ever, granted"])
        #expect(try grant(Self.period("1", 1, 31)).isEmpty)
        #expect(try told(on: 40).isEmpty)
        #expect(try agrees())
    }

    @Test func `a period that begins later is told when it begins`() throws {
        try grant(Self.period("1", 1, 31))
        #expect(try grant(Self.period("2", 40, 70)).isEmpty)
        #expect(try told(on: 31) == ["castle not held, expired"])
        #expect(try told(on: 39).isEmpty)
        #expect(try told(on: 40) == ["castle until 70, begun"])
        #expect(try agrees())
    }

    @Test func `what a clock that was ahead has told is put right when it is set back`() throws {
        try grant(Self.period("1", 1, 31))
        #expect(try told(on: 61) == ["castle not held, expired"])
        #expect(try told(on: 2) == ["castle until 31, begun"])
        #expect(try agrees())
        harness.now = .day(90)
        #expect(try grant(Self.period("2", 31, 61)) == ["castle not held, expired"])
        #expect(try told(on: 3) == ["castle until 61, begun"])
        #expect(try agrees())
        #expect(try told(on: 3).isEmpty)
    }

    @Test
    func
        `what is over when a ledger hears of it first is told, for a lost store may have told that it is held`()
        throws
    {
        #expect(try grant(Self.pack("6", on: 2, refunded: true)).isEmpty, "nothing can have been told")
        try harness.restore()
        #expect(try grant(Self.pack("7", on: 2, refunded: true)) == ["castle not held, refunded"])
        #expect(try grant(Self.pack("7", on: 2, refunded: true)).isEmpty)
        let other = `what a server is told of holdings`()
        other.harness.now = .day(90)
        #expect(try other.grant(Self.pack("7", on: 2)) == ["castle not held, expired"])
        let third = `what a server is told of holdings`()
        #expect(try third.grant(Self.period("1", 40, 70)).isEmpty, "its time is to come")
        #expect(try third.told(on: 40) == ["castle until 70, begun"])
    }

    @Test func `an amount is told by its entries alone, and costs no row`() throws {
        #expect(try grant(.facts("5")).isEmpty)
        #expect(try harness.rows("SELECT * FROM told_holding").isEmpty)
    }

    @Test func `whatever happens in whatever order, it believes what it is answered`() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<40 {
            let run = `what a server is told of holdings`()
            var facts = [
                Self.pack("7", on: 2), Self.pack("7", on: 2, refunded: true), Self.pack("8", on: 9),
                Self.period("1", 1, 31), Self.period("1", 1, 45, signed: 4), Self.period("2", 60, 75),
                Self.period("2", 60, 75, signed: 7),
                `a subscription`.period("3", 80, 445, product: "year"),
            ]
            facts[6].revocationDate = .day(70)
            var day: Int64 = 1
            for facts in (facts + facts).shuffled(using: &random) {
                day = max(1, day + Int64(random.below(20)) - 4)
                try run.told(on: day)
                try run.grant(facts)
                if random.flip() {
                    let signed = Timestamp.day(day)
                    let end = random.flip() ? Timestamp.day(day + Int64(random.below(9))) : nil
                    try run.update(RenewalFacts(signedDate: signed, gracePeriodExpiresDate: end))
                }
                #expect(try run.agrees(), "on day \(day)")
            }
        }
    }
}
