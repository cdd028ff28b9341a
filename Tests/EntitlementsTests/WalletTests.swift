import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Entitlements

/// What a buyer's server asks of the wallet, with 100 coins in it.
@Suite struct `a wallet` {
    private let harness = EntitlementsHarness()

    init() throws { try harness.grant() }

    private func coins() throws -> Int64? { try harness.holdings().balances["coins"] }

    @Test func `takes a name for what its bytes say, however it looks`() throws {
        harness.sell("coffee", [.init(entitlement: "caf\u{E9}", amount: 5)])
        #expect(try harness.credit(1, "caf\u{E9}").reply != nil)
        #expect(try harness.credit(1, "cafe\u{301}", key: "k2").refusal == .notCounted)
    }

    @Test func `is spent from and earned into, and the ledger says where it went and came from`() throws {
        let spend = try #require(harness.spend(30, reason: "sword").reply)
        let credit = try #require(harness.credit(5, metadata: ["quest": .integer(7)]).reply)
        #expect(spend.balance == 70 && credit.balance == 75)
        #expect(try coins() == 75)
        let entries = try harness.entries()
        #expect(entries.map(\.entryId).suffix(2) == [spend.entryId, credit.entryId])
        #expect(entries.map(\.kind) == [.grant, .spend, .credit])
        #expect(entries.map(\.amount) == [100, 30, 5])
        #expect(entries[1].from == .buyer(.ada) && entries[1].to.rawValue == "spent:sword")
        #expect(entries[2].from.rawValue == "earned:quest" && entries[2].to == .buyer(.ada))
        #expect(entries[2].metadata == ["quest": .integer(7)])
        #expect(entries.dropFirst().allSatisfy { $0.purchaseId == nil && $0.orderId == nil })
    }

    @Test func `answers a repeated request with the first reply, whatever came between`() throws {
        let first = try #require(harness.spend(30).reply)
        _ = try harness.spend(60, key: "k2")
        let before = try harness.contents()
        #expect(try harness.spend(30).reply == first)
        #expect(try harness.contents() == before)
        harness.service = EntitlementsService(catalog: Catalog(products: []))
        #expect(try harness.spend(30).reply == first, "also when the catalog has changed")
    }

    @Test(arguments: WalletMoveV1.Kind.allCases)
    func `refuses a key that was used for something else, and answers the first request again`(
        kind: WalletMoveV1.Kind
    ) throws {
        let first = try #require(harness.move(kind, 30).reply)
        let before = try harness.contents()
        for other in [
            try harness.move(kind, 31), try harness.move(kind, 30, "gems"),
            try harness.move(kind, 30, reason: "sword"),
            try harness.move(kind, 30, metadata: ["quest": .integer(7)]),
            try harness.move(kind, 30, environment: .sandbox),
        ] {
            #expect(other.refusal?.code == .conflict && other.refusal?.reason == "keyReused")
        }
        #expect(try harness.move(kind, 30).reply == first)
        #expect(try harness.contents() == before)
        #expect(try coins() == (kind == .spend ? 70 : 130))
        let otherKind: WalletMoveV1.Kind = kind == .spend ? .credit : .spend
        #expect(try harness.move(otherKind, 30).reply != nil, "a key is of one kind of request")
    }

    @Test func `refuses a spend of more than there is, without using up its key`() throws {
        let before = try harness.contents()
        let refusal = try harness.spend(101).refusal
        #expect(refusal?.code == .conflict && refusal?.reason == "insufficient")
        #expect(try harness.contents() == before)
        _ = try harness.credit(1)
        #expect(try harness.spend(101).reply?.balance == 0)
        #expect(try harness.spend(1, environment: .sandbox).refusal?.reason == "keyReused")
        #expect(try harness.spend(1, key: "k2", environment: .sandbox).refusal?.reason == "insufficient")
    }

    @Test(arguments: WalletMoveV1.Kind.allCases, ["castle", "wood", ""])
    func `knows only what is counted`(kind: WalletMoveV1.Kind, entitlement: String) throws {
        let before = try harness.contents()
        let refusal = try harness.move(kind, 1, entitlement).refusal
        #expect(refusal?.code == .invalid && refusal?.field == "entitlement")
        #expect(try harness.contents() == before)
    }

    @Test func `takes what only the catalog's entitlements name for counted`() throws {
        harness.rule("karma", .negative)
        #expect(try harness.credit(3, "karma").reply?.balance == 3)
    }

    @Test(arguments: WalletMoveV1.Kind.allCases, [0, -1, 1_000_000_000_001] as [Int64])
    func `refuses amounts out of bounds`(kind: WalletMoveV1.Kind, amount: Int64) throws {
        let refusal = try harness.move(kind, amount).refusal
        #expect(refusal?.code == .invalid && refusal?.field == "amount")
    }

    @Test(arguments: WalletMoveV1.Kind.allCases)
    func `refuses a reason or metadata that is too long`(kind: WalletMoveV1.Kind) throws {
        let long = String(repeating: "x", count: 129)
        #expect(try harness.move(kind, 1, reason: long).refusal?.field == "reason")
        let metadata = ["m": JSONValue.string(String(repeating: "x", count: 2 << 10))]
        #expect(try harness.move(kind, 1, metadata: metadata).refusal?.field == "metadata")
    }

    @Test func `refuses a credit that no store could count`() throws {
        try harness.execute("UPDATE balance SET amount = 999999999999999")
        #expect(try harness.credit(1).reply?.balance == Wallet.maximumBalance)
        #expect(try harness.credit(1, key: "k2").refusal?.field == "amount")
    }

    @Test func `gets a spend back once`() throws {
        let spend = try #require(harness.spend(30).reply)
        let back = try #require(harness.reverse(spend.entryId).reply)
        #expect(back.balance == 100)
        _ = try harness.credit(1)
        #expect(try harness.reverse(spend.entryId).reply == back)
        let again = try harness.reverse(spend.entryId, key: "k2").refusal
        #expect(again?.code == .conflict && again?.reason == "alreadyReversed")
        #expect(try coins() == 101)
        let entry = try #require(harness.entries().first { $0.kind == .spendReversal })
        #expect(entry.undoes == spend.entryId && entry.from.rawValue == "spent" && entry.amount == 30)
    }

    @Test func `reverses spends of this buyer and nothing else`() throws {
        let spend = try #require(harness.spend(30).reply)
        let grant = try #require(harness.entries().first).entryId
        let credit = try #require(harness.credit(1).reply).entryId
        let back = try #require(harness.reverse(spend.entryId).reply).entryId
        for other in [grant, credit, back, "", "x", String(repeating: "0", count: 32)] {
            #expect(try harness.reverse(other, key: "k3").refusal?.code == .notFound)
        }
        let foreign = SpendReverseV1(
            bundleId: .game,
            buyerId: .eve,
            entryId: spend.entryId,
            idempotencyKey: "k"
        )
        #expect(try harness.handle(foreign, OnSpendReverse().callAsFunction).refusal?.code == .notFound)
        let other = try #require(harness.spend(1, key: "k4").reply).entryId
        #expect(try harness.reverse(other).refusal?.reason == "keyReused")
    }

    @Test func `cannot give a spend back twice, whatever the program does`() throws {
        let spend = try #require(harness.spend(30).reply)
        _ = try harness.reverse(spend.entryId)
        #expect(throws: StoreError.self) {
            try harness.execute(
                """
                INSERT INTO ledger (bundle_id, buyer_id, number, entry_id, kind, entitlement, amount,
                  from_account, to_account, undoes, environment, time, event_id)
                SELECT bundle_id, buyer_id, 9, 'other', kind, entitlement, amount, from_account, to_account,
                  undoes, environment, time, event_id
                FROM ledger WHERE kind = 'spendReversal'
                """
            )
        }
    }

    @Test func `gives the same entry the same id in a restored store`() throws {
        let spend = try #require(harness.spend(30).reply)
        let restored = EntitlementsHarness()
        try restored.grant(.facts("7"))
        restored.now = restored.now.advanced(by: 9_000)
        #expect(try restored.spend(30).reply == spend)
        #expect(try restored.spend(30, key: "k2").reply?.entryId != spend.entryId)
    }

    @Test func `is told of by no webhook`() throws {
        _ = try harness.spend(30)
        #expect(harness.sent.isEmpty)
    }
}
