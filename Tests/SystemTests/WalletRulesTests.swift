import Contracts
import Glibc
import NIOCore
import TestKit
import Testing

extension WholeGroup {
    /// The rules of the wallet, as a buyer's server sees them.
    @Suite struct WalletRulesTests {
        @Test
        func
            `the same key is answered the same, other content is keyReused, and what is refused uses no key up`()
            async throws
        {
            try await TestGroup.use(partitions: 2) { group in
                let gateway = group.gateway
                _ = try await group.buy("anna")
                let sword = #","reason":"sword""#
                func spend(
                    _ amount: Int64,
                    of what: String = "coins",
                    key: String,
                    more: String = ""
                ) async throws -> HTTPReply {
                    try await gateway.wallet("spend", "anna", amount, of: what, key: key, more: more)
                }
                let first = try await spend(30, key: "k1", more: sword)
                #expect(first.status == 201, "\(first.text)")
                #expect(try first.json(WalletEntryV1.self).balance == 90)
                let again = try await spend(30, key: "k1", more: sword)
                #expect(again.status == 201 && again.text == first.text)
                for other in [
                    try await spend(31, key: "k1", more: sword), try await spend(30, key: "k1"),
                ] {
                    #expect(try other.problem == ProblemAnswer(409, "keyReused", "Idempotency-Key"))
                }

                let much = try await spend(100, key: "k2")
                #expect(try much.problem == ProblemAnswer(409, "insufficient", "amount"))
                try await Self.credit(gateway)
                let now = try await spend(100, key: "k2")
                #expect(try now.json(WalletEntryV1.self).balance == 10, "the key was not used up")

                for entitlement in ["pro", "wood"] {
                    let refused = try await spend(1, of: entitlement, key: "k3")
                    #expect(try refused.problem == ProblemAnswer(422, "invalid", "entitlement"))
                }
                let second = try await spend(1, key: "k3", more: #","metadata":{"items":["sword",7]}"#)
                #expect(second.status == 201, "\(second.text)")
                let spends = try [first, second].map { try $0.json(WalletEntryV1.self).entryId }
                try await Self.reverse(spends[0], and: spends[1], gateway)
                #expect(try await gateway.coins(of: "anna") == 39)
                #expect(try await gateway.coins(of: "berta") == 0)
                try await Self.checkLedger(group)
            }
        }

        /// Earns 20 coins, once under its key, which nothing else may use.
        private static func credit(_ gateway: GatewayClient) async throws {
            func credit(_ amount: Int64, of what: String = "coins", level: Int) async throws -> HTTPReply {
                let more = #","reason":"quest","metadata":{"level":\#(level)}"#
                return try await gateway.wallet("credit", "anna", amount, of: what, key: "k2", more: more)
            }
            let earned = try await credit(20, level: 3)
            #expect(earned.status == 201, "\(earned.text)")
            #expect(try earned.json(WalletEntryV1.self).balance == 110, "a key is of one route")
            for other in [
                try await credit(21, level: 3), try await credit(20, level: 4),
                try await credit(20, of: "gems", level: 3),
            ] {
                #expect(try other.problem == ProblemAnswer(409, "keyReused", "Idempotency-Key"))
            }
            let again = try await credit(20, level: 3)
            #expect(again.status == 201 && again.text == earned.text)
        }

        /// Gives a spend back, once under its key, which another spend may not use.
        private static func reverse(
            _ entry: String,
            and other: String,
            _ gateway: GatewayClient
        ) async throws {
            func reverse(_ entry: String, of buyer: String, key: String) async throws -> HTTPReply {
                try await gateway.post("/v1/buyers/\(buyer)/spends/\(entry)/reverse", json: "", key: key)
            }
            let foreign = try await reverse(entry, of: "berta", key: "k1")
            #expect(try foreign.problem == ProblemAnswer(404, "notFound", "entryId"))
            let back = try await reverse(entry, of: "anna", key: "k1")
            #expect(try back.json(WalletEntryV1.self).balance == 39)
            #expect(try await reverse(entry, of: "anna", key: "k1").text == back.text)
            #expect(try await reverse(entry, of: "anna", key: "k2").problem.code == "alreadyReversed")
            let reused = try await reverse(other, of: "anna", key: "k1")
            #expect(try reused.problem == ProblemAnswer(409, "keyReused", "Idempotency-Key"))
        }

        /// Entries that balance, with their metadata; the grant says what was paid where, and by which catalog.
        private static func checkLedger(_ group: TestGroup) async throws {
            let ledger = try await group.gateway.get("/v1/buyers/anna/ledger").json(LedgerV1.self).entries
            #expect(ledger.map(\.kind) == [.grant, .spend, .credit, .spend, .spend, .spendReversal])
            #expect(ledger.map(\.change) == [120, -30, 20, -100, -1, 30])
            #expect(
                ledger[1].from == .buyer(BuyerID(unchecked: "anna")) && ledger[1].to.rawValue == "spent:sword"
            )
            #expect(ledger[5].undoes == ledger[1].entryId)
            #expect(ledger[2].metadata == ["level": .integer(3)])
            #expect(ledger[4].metadata == ["items": .array([.string("sword"), .integer(7)])])
            let grant = try #require(ledger.first)
            #expect(grant.price == 990 && grant.currency == "USD" && grant.storefront == "USA")
            #expect(grant.catalogVersion == (try await group.catalogVersion()))
            #expect(ledger.dropFirst().allSatisfy { $0.catalogVersion == nil && $0.price == nil })
            try await group.counterfoil("audit")
        }

        private static let buyers = 6
        private static let callers = 4

        @Test(.timeLimit(.minutes(3)))
        func
            `grants, spends, credits and reads of many callers are explained by one order, though processes are killed`()
            async throws
        {
            try await TestGroup.use(partitions: 2) { group in
                var gateway = group.gateway
                gateway.timeout = .seconds(5)
                let wallets = (0..<Self.buyers).map { ConcurrentWallet(gateway, of: "buyer-\($0)") }
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for wallet in wallets {
                        let purchases = try await [0, 1].asyncMap { _ in try await group.pay(wallet.buyer) }
                        for caller in 0..<Self.callers {
                            tasks.addTask { try await Self.live(caller, wallet, purchases) }
                        }
                    }
                    try await eventually("half of them is under way") {
                        wallets.map(\.count).reduce(0, +) >= Self.buyers * Self.callers * 3
                    }
                    for program in ["entitlements", "gateway"] {
                        kill(try await group.pid(of: program), SIGKILL)
                    }
                    try await tasks.waitForAll()
                }
                for wallet in wallets {
                    try await wallet.read()
                    let history = wallet.history(coinsPerGrant: Int64(TestHome.coinsPerPurchase))
                    #expect(history.isLinearizable, "\(history.operations)")
                }
                try await group.rest()
                try await group.counterfoil("audit")
            }
        }

        /// What one caller does: it buys, earns, spends too much now and then, and uses others' keys, too.
        private static func live(
            _ caller: Int,
            _ wallet: ConcurrentWallet,
            _ purchases: [Purchase]
        ) async throws {
            try await wallet.spend(90, key: "s\(caller)")
            try await wallet.buy(purchases[caller % 2])
            try await wallet.credit(5, key: "c\(caller % 2)")
            try await wallet.spend(90, key: "s\(caller)")
            try await wallet.read()
            try await wallet.spend(25, key: "shared")
            try await wallet.spend(40, key: "t\(caller)")
            try await wallet.read()
        }
    }
}
