import Contracts
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// The rules of the catalog, from its file to what buyers hold.
    @Suite struct CatalogRulesTests {
        private static let about = #""titles":{"en":"Coins","zh-Hans":"金币"},"metadata":{"icon":"c.png"}"#
        private static let coins = TestHome.product(
            "coins.120",
            "consumable",
            ["coins": 120],
            #""referencePrice":{"amount":990,"currency":"USD"},\#(about)"#
        )
        private static let pro = TestHome.product("pro.lifetime", "nonConsumable", ["pro": nil])
        private static let gems = TestHome.product("gems.7", "consumable", ["gems": 7])
        private static let pass =
            #"{"productId":"pass.30","type":"nonRenewing","grants":[{"entitlement":"pass","durationDays":30}]}"#

        private static func retired(_ product: String, _ entitlement: String, _ how: String) -> String {
            TestHome.product(product, "consumable", [entitlement: 50], #""retired":\#(how)"#)
        }

        private static func catalog(_ products: String...) -> String {
            #"{"products":[\#(products.joined(separator: ","))]}"#
        }

        @Test
        func
            `a purchase of another type than Apple signs is parked and alarmed, and granted after load and retry`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog(Self.coins, Self.pro, Self.gems)) { group in
                let bought = SignedTransaction.bought("gems.7", type: "Non-Consumable")
                let parked = try await group.submit("anna", bought)
                #expect(parked.verdict == "parked" && parked.reason == "typeMismatch" && !parked.finish)
                let alarm = "a purchase of gems.7 is parked: typeMismatch"
                try await group.alarms(alarm, gauge: "grants_parked")

                let right = Self.gems.replacing("consumable", with: "nonConsumable")
                try group.home.edit(catalog: Self.catalog(Self.coins, Self.pro, right))
                try await group.home.counterfoil("catalog", "load")
                    .expect(exit: 2, "gems.7: is nonConsumable, but was consumable", "--correct-type gems.7")
                try await group.load(
                    catalog: Self.catalog(Self.coins, Self.pro, right),
                    "--correct-type",
                    "gems.7"
                )
                try await eventually("the grant is judged by the new catalog") {
                    try await group.counterfoil("retry")
                    return try await group.gateway.verdict(of: parked.receiptId).isGranted
                }
                #expect(try await group.holdings(of: "anna").balances == ["gems": 7])
                try await group.counterfoil("audit")
            }
        }

        @Test
        func `a retired product grants its replacement or compensation, or is parked, and is sold no more`()
            async throws
        {
            let catalog = Self.catalog(
                Self.coins,
                Self.pro,
                Self.retired("old.coins", "coins", #"{"replacement":"coins.120"}"#),
                Self.retired(
                    "old.stones",
                    "stones",
                    #"{"compensation":[{"entitlement":"coins","amount":40}]}"#
                ),
                Self.retired("old.dust", "dust", "{}")
            )
            try await TestGroup.use(catalog: catalog) { group in
                for product in ["old.coins", "old.stones", "old.dust"] {
                    let order = try await group.gateway.issue("anna", product: product, key: product)
                    #expect(try order.problem == ProblemAnswer(422, "notOnSale", "productId"))
                }
                #expect(try await group.submit("anna", .bought("old.coins")).isGranted)
                #expect(try await group.holdings(of: "anna").balances == ["coins": 120])
                #expect(try await group.submit("anna", .bought("old.stones")).isGranted)
                #expect(try await group.holdings(of: "anna").balances == ["coins": 160])
                let parked = try await group.submit("anna", .bought("old.dust"))
                #expect(parked.verdict == "parked" && parked.reason == "retiredProduct")
                #expect(try await group.holdings(of: "anna").balances == ["coins": 160])

                let answer = try await group.gateway.get("/v1/products").json(ProductsAnswer.self)
                let marked = answer.products.compactMap { $0[member: "retired"] }
                #expect(answer.products.count == 5 && marked.count == 3)
                #expect(marked[0] == .object(["replacement": .string("coins.120")]))
            }
        }

        @Test
        func `goods that are owned already are compensated, and a refund takes back what was given`()
            async throws
        {
            let hero = #""type":"nonConsumable","grants":[{"entitlement":"hero"}]"#
            let rule = #""whenOwned":{"compensation":[{"entitlement":"coins","amount":30}]}"#
            let catalog = Self.catalog(
                Self.coins,
                #"{"productId":"hero.set",\#(hero)}"#,
                #"{"productId":"hero",\#(hero),\#(rule)}"#
            )
            try await TestGroup.use(catalog: catalog) { group in
                func held() async throws -> (coins: Int64?, possessions: [String]) {
                    let all = try await group.holdings(of: "anna")
                    return (all.balances["coins"], all.entitlements.map(\.entitlement))
                }
                #expect(try await group.submit("anna", .bought("hero.set", type: "Non-Consumable")).isGranted)
                let late = SignedTransaction.bought("hero", type: "Non-Consumable")
                #expect(try await group.submit("anna", late).isGranted)
                #expect(try await held() == (30, ["hero"]))
                try await group.notify("REFUND", about: late.refunded())
                try await eventually("the coins are taken back, and the hero stays") {
                    try await held() == (0, ["hero"])
                }
                try await group.counterfoil("audit")
            }
        }

        @Test
        func
            `days that were bought, times their quantity, follow each other, and are laid anew after a refund`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog(Self.coins, Self.pro, Self.pass)) { group in
                let day: Int64 = 86_400_000
                let now = Timestamp.now().milliseconds
                func pass(_ age: Int64, quantity: Int = 1) -> SignedTransaction {
                    var pass = SignedTransaction.bought("pass.30", type: "Non-Renewing Subscription")
                    (pass.purchaseDate, pass.quantity) = (now - age * day, quantity)
                    return pass
                }
                func days() async throws -> Int64? {
                    try await group.holdings(of: "anna").entitlements.first { $0.entitlement == "pass" }?
                        .expires.map { ($0.milliseconds - now) / day }
                }
                let (first, second) = (pass(10, quantity: 2), pass(5))
                // The later one comes first: what counts is when each was bought.
                #expect(try await group.submit("anna", second).isGranted)
                #expect(try await days() == 25)
                #expect(try await group.submit("anna", first).isGranted)
                #expect(try await days() == 80)
                let refund = first.refunded()
                try await group.notify("REFUND", about: refund)
                try await eventually("the days of the other one begin at its own purchase") {
                    try await days() == 25
                }
                var back = first
                back.signedDate = refund.signedDate + 1_000
                try await group.notify("REFUND_REVERSED", about: back)
                try await eventually("the refund is reversed") { try await days() == 80 }
            }
        }

        @Test
        func
            `a product id is never reused, a load is whole or not at all, and each grant records its version`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog(Self.coins, Self.pro)) { group in
                let old = try await group.catalogVersion()
                let refused = [
                    (Self.catalog(Self.coins), "pro.lifetime: is gone"),
                    (
                        Self.catalog(Self.coins.replacing("consumable", with: "nonConsumable"), Self.pro),
                        "coins.120: is nonConsumable, but was consumable"
                    ),
                    (
                        Self.catalog(
                            Self.coins.replacing(#""coins""#, with: #""gold""#),
                            Self.pro,
                            Self.gems
                        ),
                        "coins.120: grants coins no more"
                    ),
                    (#"{"products":[\#(Self.gems),"#, "catalog.json: line 1"),
                ]
                for (text, says) in refused {
                    try group.home.edit(catalog: text)
                    for command in ["check", "load"] {
                        try await group.home.counterfoil("catalog", command).expect(exit: 2, says)
                    }
                    #expect(try await group.catalogVersion() == old)
                }
                try await group.buy("anna")
                #expect(try await Self.versions("anna", group) == [120: [old]])

                let dear = Self.coins.replacing("120}]", with: #"150},{"entitlement":"gems","amount":1}]"#)
                try await group.load(catalog: Self.catalog(dear, Self.pro))
                let new = try await group.catalogVersion()
                try await eventually("purchases are granted by the new catalog", within: .seconds(30)) {
                    try await group.buy("anna")
                    return try await Self.versions("anna", group)[150] != nil
                }
                #expect(try await Self.versions("anna", group) == [120: [old], 150: [new], 1: [new]])
                try await Self.checkProducts(old, new, group)
            }
        }

        /// Which catalogs granted each amount.
        private static func versions(_ buyer: String, _ group: TestGroup) async throws -> [Int64: Set<String>]
        {
            let ledger = try await group.gateway.get("/v1/buyers/\(buyer)/ledger").json(LedgerV1.self)
            return Dictionary(grouping: ledger.entries, by: \.amount).mapValues {
                Set($0.map { $0.catalogVersion ?? "none" })
            }
        }

        private static func checkProducts(_ old: String, _ new: String, _ group: TestGroup) async throws {
            let gateway = group.gateway
            func get(_ query: String = "", known version: String? = nil) async throws -> HTTPReply {
                let headers = version.map { [("If-None-Match", "\"\($0)\"")] } ?? []
                return try await gateway.get("/v1/products" + query, headers: headers)
            }
            let shown = try await group.counterfoil("catalog", "show", "--json").json(ProductsAnswer.self)
            #expect(try await get("?bundleId=\(TestHome.bundleID)", known: old).json() == shown)
            let titles = shown.products[0][member: "titles"]
            #expect(shown.version == new && titles?[member: "zh-Hans"] == .string("金币"))
            let same = try await get(known: new)
            #expect(same.status == 304 && same.text.isEmpty)
            #expect(try await get("?bundleId=com.example.other").problem.field == "bundleId")
            let malformed = try await get("?bundleId=a%20b")
            #expect(try malformed.problem == ProblemAnswer(422, "invalid", "bundleId"))
        }
    }
}
