import Contracts
import Foundation
import LoadVerdict
import TestKit
import Testing

@testable import LoadGenerator

@Suite struct `a server that follows the README` {
    private static let products = [
        Product(id: "pack", amount: nil, amounts: ["coins": 100]),
        Product(id: "month", amount: nil, kind: .autoRenewable, possessions: ["vip"]),
    ]

    private static func event(_ id: String, _ body: some Contract) throws -> Data {
        let event = Event(
            id: EventID(unchecked: id),
            source: "/entitlements/0",
            time: Timestamp(milliseconds: 1),
            subject: "-",
            data: body
        )
        return Data(try EventCoder.encoder().encode(event))
    }

    private static func holding(
        until end: Int64?,
        environment: Environment = .production
    ) -> HoldingChangedV1 {
        HoldingChangedV1(
            bundleId: .game,
            buyerId: .ada,
            environment: environment,
            entitlement: "vip",
            held: end != nil,
            expires: end.map(Timestamp.init(milliseconds:)),
            reason: .updated
        )
    }

    /// Entries of coins and of VIP.
    private static let change = EntitlementChangedV1(
        buyerId: .ada,
        order: OrderTerms(
            orderId: OrderID(time: Timestamp(milliseconds: 1), shard: Shard(rawValue: 5), random: 1)
        ),
        transaction: .facts(),
        entries: ["coins": 100, "vip": 1].map { name, amount in
            LedgerEntry(
                entryId: name,
                kind: .grant,
                entitlement: name,
                amount: amount,
                of: .ada,
                with: .transit,
                environment: .production,
                time: Timestamp(milliseconds: 1)
            )
        },
        verdict: .granted
    )

    private static func answer(vipUntil end: Int64?, coins: Int64) -> EntitlementsV1 {
        EntitlementsV1(of: "ada", ["coins": coins], end.map { ["vip": $0] } ?? [:])
    }

    @Test func `believes the last word about a possession, and adds up amounts alone, each message once`()
        throws
    {
        var book = WebhookBook(Self.products)
        let messages = [
            try Self.event("1", Self.change), try Self.event("2", Self.holding(until: 5)),
            try Self.event("3", Self.holding(until: 9)),
        ]
        for message in messages + messages { try book.note(message) }
        #expect(book.agrees(with: Self.answer(vipUntil: 9, coins: 100), own: [:]))
        #expect(book.agrees(with: Self.answer(vipUntil: 9, coins: 70), own: ["coins": -30]))
        #expect(!book.agrees(with: Self.answer(vipUntil: 5, coins: 100), own: [:]))
        #expect(!book.agrees(with: Self.answer(vipUntil: 9, coins: 101), own: [:]))
        #expect(!book.agrees(with: Self.answer(vipUntil: nil, coins: 100), own: [:]))
        try book.note(try Self.event("4", Self.holding(until: nil)))
        #expect(book.agrees(with: Self.answer(vipUntil: nil, coins: 100), own: [:]))
    }

    @Test func `keeps what is held for real apart from what a tester holds`() throws {
        var book = WebhookBook(Self.products)
        try book.note(try Self.event("1", Self.holding(until: 9)))
        try book.note(try Self.event("2", Self.holding(until: 5, environment: .sandbox)))
        #expect(book.agrees(with: Self.answer(vipUntil: 9, coins: 0), own: [:]))
        try book.note(try Self.event("3", Self.holding(until: nil, environment: .sandbox)))
        #expect(book.agrees(with: Self.answer(vipUntil: 9, coins: 0), own: [:]))
    }

    @Test func `is found out when it was told something else than the gateway answers`() throws {
        var run = HoldingsRun()
        run.audit.webhooks = WebhookBook(HoldingsRun.products)
        #expect(run.report().faults == ["wrongTold": 1])
        #expect(HoldingsRun().report().faults.isEmpty)
    }
}
