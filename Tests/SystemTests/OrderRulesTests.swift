import AppStoreSigning
import Contracts
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// The rules of orders and claims through the whole group.
    @Suite struct OrderRulesTests {
        private static func catalog(retired: Bool = false) -> String {
            TestHome.catalog(
                with: TestHome.product("starter", "consumable", ["coins": 5], #""limitPerBuyer":1"#),
                TestHome.product("soon", "consumable", ["coins": 1], #""onSaleFrom":9000000000000"#),
                TestHome.product("over", "consumable", ["coins": 1], #""onSaleUntil":1760000000000"#),
                TestHome.product("old", "consumable", ["coins": 1], retired ? #""retired":{}"# : ""),
                TestHome.month
            )
        }

        /// The order that a payment by this token has paid, which must be granted.
        private static func pay(
            _ buyer: String,
            _ group: TestGroup,
            product: String = TestHome.coins,
            token: String? = nil
        ) async throws -> OrderV1 {
            let verdict = try await group.submit(buyer, .bought(product, token: token))
            #expect(verdict.finish)
            return try await granted(verdict, group)
        }

        private static func granted(_ verdict: VerdictAnswer, _ group: TestGroup) async throws -> OrderV1 {
            #expect(verdict.isGranted, "\(verdict)")
            let id = try #require(verdict.transactions.first?.orderId)
            return try await group.gateway.order(by: OrderID(unchecked: id))
        }

        @Test func `further orders are refused as onlyOne, limits and sale dates say, payments never`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog()) { group in
                let gateway = group.gateway
                let open = try await gateway.place("anna")
                let second = try await gateway.issue("anna", onlyOne: true, key: "second")
                #expect(second.status == 409)
                let problem = try second.json(OpenOrderAnswer.self)
                #expect(problem.code == "openOrder" && problem.order?.orderId == open.orderId)
                let only = try await Self.pay("anna", group, token: open.appAccountToken)
                #expect(only.orderId == open.orderId)
                try await eventually("what is granted is not open") {
                    try await gateway.issue("anna", onlyOne: true, key: "second").status == 201
                }

                let first = try await gateway.place("berta", product: "starter")
                let late = try await gateway.place("berta", product: "starter")
                #expect(try await gateway.close(late.orderId.rawValue).status == 200)
                let (token, lateToken) = (first.appAccountToken, late.appAccountToken)
                let paid = try await Self.pay("berta", group, product: "starter", token: token)
                #expect(paid.orderId == first.orderId && paid.overLimit == nil && paid.late == nil)
                let third = try await gateway.issue("berta", product: "starter", key: "third")
                #expect(third.status == 409)
                #expect(try third.problem.code == "limitReached")
                let over = try await Self.pay("berta", group, product: "starter", token: lateToken)
                #expect(over.orderId == late.orderId && over.overLimit == true && over.late == true)

                for product in ["soon", "over"] {
                    let refused = try await gateway.issue("clara", product: product, key: product)
                    #expect(refused.status == 422)
                    #expect(try refused.problem == ProblemAnswer(422, "notOnSale", "productId"))
                    let paid = try await Self.pay("clara", group, product: product)
                    #expect(paid.origin == .spot && paid.buyerId.rawValue == "clara")
                }

                let before = try await gateway.issue("dora", product: "old", key: "before")
                try await group.load(catalog: Self.catalog(retired: true))
                try await eventually("the product is retired") {
                    try await gateway.issue("dora", product: "old", key: UUID().uuidString).status == 422
                }
                let again = try await gateway.issue("dora", product: "old", key: "before")
                #expect(again.status == 201)
                #expect(again.text == before.text, "a repeated key is recognised first")
            }
        }

        @Test
        func `reports close and defer orders, which payments reopen; a sandbox payment has its own order`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog()) { group in
                let reports = [
                    ("en", #"{"outcome":"deferred"}"#, "The purchase waits for approval."),
                    ("zh-CN", #"{"outcome":"cancelled"}"#, "购买已取消，您没有被扣款。"),
                    (
                        "fr, en;q=0.5", #"{"outcome":"failed","errorDomain":"SKErrorDomain","errorCode":4}"#,
                        "Purchases are not allowed on this device."
                    ),
                ]
                let states: [OrderV1.State] = [.deferred, .closed, .closed]
                for ((language, body, text), state) in zip(reports, states) {
                    let placed = try await group.gateway.place("emil")
                    let id = placed.orderId.rawValue
                    let reply = try await group.gateway.report(id, body, language: language)
                    #expect(reply.status == 200)
                    let report = try reply.json(ReportAnswer.self)
                    #expect(report.order.state == state && report.message.hasPrefix(text), "\(report)")
                    let paid = try await Self.pay("emil", group, token: placed.appAccountToken)
                    #expect(paid.orderId == placed.orderId)
                    #expect(paid.late == (state == .closed ? true : nil), "a closed order is reopened")
                }

                let placed = try await group.gateway.place("fritz")
                var tested = SignedTransaction.bought(token: placed.appAccountToken)
                tested.environment = "Sandbox"
                let own = try await Self.granted(group.submit("fritz", tested), group)
                #expect(own.orderId != placed.orderId && own.sandboxOf == placed.orderId)
                #expect(own.environment == .sandbox && own.origin == .spot)
                let former = try await group.gateway.order(by: placed.orderId)
                #expect(former.state == .issued, "no money came for it")
            }
        }

        @Test func `a payment goes to its token, its order or its submitter, and to nobody twice`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog()) { group in
                let token = UUID().uuidString
                #expect(try await group.gateway.register(token, for: "greta").status == 200)
                try await group.notify("ONE_TIME_CHARGE", about: .bought(token: token.lowercased()))
                let told = try await eventually("Apple's word reaches the buyer of the token") {
                    try await group.gateway.orders(of: "greta", "origin=server").orders.first
                }
                #expect(told.origin == .server)
                #expect(try await group.counter("token_case_changed") == 0)

                let placed = try await group.gateway.place("hans")
                let paid = try await Self.pay("hans", group, token: placed.appAccountToken.uppercased())
                #expect(paid.orderId == placed.orderId && paid.origin == .phone)
                try await group.countsOnce("token_case_changed")

                let second = try await group.gateway.place("hans")
                let bare = SignedTransaction.bought()
                let proof = try group.home.signer.sign(transaction: bare)
                let verdict = try await group.gateway.verdict("hans", proof: proof)
                #expect(verdict.isGranted)
                let paying = verdict.transactions.first?.orderId
                #expect(paying == second.orderId.rawValue, "the submitter's open order")
                try await group.countsOnce("claims_without_token")

                let replay = try await group.gateway.verdict("ida", proof: proof)
                #expect(replay.verdict == "conflict" && replay.finish)
                try await group.countsOnce("claim_conflicts")
                #expect(try await group.gateway.orders(of: "ida", "origin=all").orders.isEmpty)
            }
        }

        @Test func `a renewal is an order that nobody placed, hidden from lists unless it is asked for`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog()) { group in
                let day: Int64 = 86_400_000
                var first = SignedTransaction.bought("vip.month", type: "Auto-Renewable Subscription")
                first.webOrderLineItemId = "7001"
                first.transactionReason = "PURCHASE"
                first.expiresDate = first.purchaseDate + day
                #expect(try await group.submit("julia", first).isGranted)
                var second = SignedTransaction.bought("vip.month", type: "Auto-Renewable Subscription")
                second.originalTransactionId = first.originalTransactionId
                second.webOrderLineItemId = "7002"
                second.transactionReason = "RENEWAL"
                second.purchaseDate = first.purchaseDate + day
                second.expiresDate = second.purchaseDate + 30 * day
                try await group.notify("DID_RENEW", about: second)
                let renewal = try await eventually("the renewal has an order") {
                    try await group.gateway.orders(of: "julia", "origin=renewal").orders.first
                }
                #expect(renewal.origin == .renewal)
                let listed = try await group.gateway.orders(of: "julia").orders
                #expect(listed.map(\.origin) == [.spot])
                let all = try await group.gateway.orders(of: "julia", "origin=all").orders
                #expect(Set(all.map(\.orderId)) == [renewal.orderId, listed[0].orderId])
                let wrong = try await group.gateway.get("/v1/buyers/julia/orders?origin=web")
                #expect(wrong.status == 422)
                #expect(try wrong.problem.field == "origin")
                try await eventually("a renewal is no open order") {
                    try await group.gateway.issue(
                        "julia",
                        product: "vip.month",
                        onlyOne: true,
                        key: "further"
                    )
                    .status == 201
                }
            }
        }
    }
}
