import AppStoreSigning
import Contracts
import Foundation
import TestKit
import Testing

/// What these tests read of an order.
private struct OrderView: Decodable {
    let orderId: OrderID
    let state: OrderV1.State
    let buyerId: BuyerID
    let environment: Environment
    let origin: OrderV1.Origin
    var closeReason: OrderCloseReason?
    var late: Bool?
    var overLimit: Bool?
    var sandboxOf: OrderID?

    var id: String { orderId.rawValue }
}

private struct OrderList: Decodable {
    let orders: [OrderView]
}

/// What is wrong with a request.
private struct ProblemView: Decodable {
    let code: String
    var field: String?
    var order: OrderView?
}

private struct ReportView: Decodable {
    let order: OrderView
    let message: String
}

extension WholeGroup {
    /// The rules of orders and claims through the whole group.
    @Suite struct OrderRulesTests {
        private static func catalog(retired: Bool = false) -> String {
            let mark = retired ? #","retired":{}"# : ""
            return """
                {"products":[
                  {"productId":"coins.120","type":"consumable","grants":[{"entitlement":"coins","amount":120}]},
                  {"productId":"pro.lifetime","type":"nonConsumable","grants":[{"entitlement":"pro"}]},
                  {"productId":"starter","type":"consumable","grants":[{"entitlement":"coins","amount":5}],
                   "limitPerBuyer":1},
                  {"productId":"soon","type":"consumable","grants":[{"entitlement":"coins","amount":1}],
                   "onSaleFrom":9000000000000},
                  {"productId":"over","type":"consumable","grants":[{"entitlement":"coins","amount":1}],
                   "onSaleUntil":1760000000000},
                  {"productId":"old","type":"consumable","grants":[{"entitlement":"coins","amount":1}]\(mark)},
                  {"productId":"vip.month","type":"autoRenewable","grants":[{"entitlement":"vip"}]}
                ]}
                """
        }

        private static func load(_ catalog: String, _ group: TestGroup) async throws {
            try Data(catalog.utf8).write(to: URL(filePath: "\(group.home.root)/catalog.json"))
            _ = try await group.counterfoil("catalog", "load")
        }

        /// Runs a group that sells this catalog.
        private static func use(_ body: (TestGroup) async throws -> Void) async throws {
            try await TestGroup.use(partitions: 2) { group in
                try await load(catalog(), group)
                try await eventually("the gateway sells the catalog") {
                    try await group.gateway.issue("none", product: "starter", key: UUID().uuidString).status
                        == 201
                }
                try await body(group)
            }
        }

        private static func place(
            _ buyer: String,
            _ group: TestGroup,
            product: String = TestHome.coins
        ) async throws -> OrderView {
            let key = UUID().uuidString
            return try await group.gateway.retry("order") {
                try await group.gateway.issue(buyer, product: product, key: key)
            }
            .json()
        }

        private static func order(_ id: String?, _ group: TestGroup) async throws -> OrderView {
            let id = try #require(id)
            return try await group.gateway.retry("get") { try await group.gateway.get("/v1/orders/\(id)") }
                .json()
        }

        private static func orders(
            of buyer: String,
            _ query: String = "",
            _ group: TestGroup
        ) async throws -> [OrderView] {
            try await group.gateway.retry("list") {
                try await group.gateway.get("/v1/buyers/\(buyer)/orders?\(query)")
            }
            .json(OrderList.self).orders
        }

        /// The order that a payment by this token has paid, which must be granted.
        private static func pay(
            _ buyer: String,
            _ group: TestGroup,
            product: String = TestHome.coins,
            token: String? = nil
        ) async throws -> OrderView {
            let verdict = try await group.submit(buyer, .bought(product, token: token))
            #expect(verdict.isGranted && verdict.finish, "\(verdict)")
            return try await order(verdict.transactions.first?.orderId, group)
        }

        @Test func `further orders are refused as onlyOne, limits and sale dates say, payments never`()
            async throws
        {
            try await Self.use { group in
                let gateway = group.gateway
                let open = try await Self.place("anna", group)
                let second = try await gateway.issue("anna", onlyOne: true, key: "second")
                #expect(second.status == 409)
                let problem = try second.json(ProblemView.self)
                #expect(problem.code == "openOrder" && problem.order?.orderId == open.orderId)
                #expect(try await Self.pay("anna", group, token: open.id).orderId == open.orderId)
                try await eventually("what is granted is not open") {
                    try await gateway.issue("anna", onlyOne: true, key: "second").status == 201
                }

                let first = try await Self.place("berta", group, product: "starter")
                let late = try await Self.place("berta", group, product: "starter")
                #expect(try await gateway.close(late.id).status == 200)
                let paid = try await Self.pay("berta", group, product: "starter", token: first.id)
                #expect(paid.orderId == first.orderId && paid.overLimit == nil && paid.late == nil)
                let third = try await gateway.issue("berta", product: "starter", key: "third")
                #expect(third.status == 409)
                #expect(try third.json(ProblemView.self).code == "limitReached")
                let over = try await Self.pay("berta", group, product: "starter", token: late.id)
                #expect(over.orderId == late.orderId && over.overLimit == true && over.late == true)

                for product in ["soon", "over"] {
                    let refused = try await gateway.issue("clara", product: product, key: product)
                    let problem = try refused.json(ProblemView.self)
                    #expect(refused.status == 422 && problem.code == "notOnSale")
                    #expect(problem.field == "productId")
                    let paid = try await Self.pay("clara", group, product: product)
                    #expect(paid.origin == .spot && paid.buyerId.rawValue == "clara")
                }

                let before = try await gateway.issue("dora", product: "old", key: "before")
                try await Self.load(Self.catalog(retired: true), group)
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
            try await Self.use { group in
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
                    let placed = try await Self.place("emil", group)
                    let reply = try await group.gateway.report(placed.id, body, language: language)
                    #expect(reply.status == 200)
                    let report = try reply.json(ReportView.self)
                    #expect(report.order.state == state && report.message.hasPrefix(text), "\(report)")
                    let paid = try await Self.pay("emil", group, token: placed.id)
                    #expect(paid.orderId == placed.orderId)
                    #expect(paid.late == (state == .closed ? true : nil), "a closed order is reopened")
                }

                let placed = try await Self.place("fritz", group)
                var tested = SignedTransaction.bought(token: placed.id)
                tested.environment = "Sandbox"
                let verdict = try await group.submit("fritz", tested)
                #expect(verdict.isGranted)
                let own = try await Self.order(verdict.transactions.first?.orderId, group)
                #expect(own.orderId != placed.orderId && own.sandboxOf == placed.orderId)
                #expect(own.environment == .sandbox && own.origin == .spot)
                #expect(try await Self.order(placed.id, group).state == .issued, "no money came for it")
            }
        }

        @Test func `a payment goes to its token, its order or its submitter, and to nobody twice`()
            async throws
        {
            try await Self.use { group in
                let token = UUID().uuidString
                #expect(try await group.gateway.register(token, for: "greta").status == 200)
                try await group.notify("ONE_TIME_CHARGE", about: .bought(token: token.lowercased()))
                let told = try await eventually("Apple's word reaches the buyer of the token") {
                    try await Self.orders(of: "greta", "origin=server", group).first
                }
                #expect(told.origin == .server)
                #expect(try await group.counter("token_case_changed") == 0)

                let placed = try await Self.place("hans", group)
                let paid = try await Self.pay("hans", group, token: placed.id.uppercased())
                #expect(paid.orderId == placed.orderId && paid.origin == .phone)
                try await eventually("the changed case is counted once") {
                    try await group.counter("token_case_changed") == 1
                }

                let second = try await Self.place("hans", group)
                let bare = SignedTransaction.bought()
                let proof = try group.home.signer.sign(transaction: bare)
                let verdict = try await group.gateway.verdict("hans", proof: proof)
                #expect(verdict.isGranted)
                #expect(verdict.transactions.first?.orderId == second.id, "the submitter's open order")
                try await eventually("the missing token is counted once") {
                    try await group.counter("claims_without_token") == 1
                }

                let replay = try await group.gateway.verdict("ida", proof: proof)
                #expect(replay.verdict == "conflict" && replay.finish)
                try await eventually("the conflict is counted once") {
                    try await group.counter("claim_conflicts") == 1
                }
                #expect(try await Self.orders(of: "ida", "origin=all", group).isEmpty)
            }
        }

        @Test func `a renewal is an order that nobody placed, hidden from lists unless it is asked for`()
            async throws
        {
            try await Self.use { group in
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
                    try await Self.orders(of: "julia", "origin=renewal", group).first
                }
                #expect(renewal.origin == .renewal)
                let listed = try await Self.orders(of: "julia", "", group)
                #expect(listed.map(\.origin) == [.spot])
                let all = try await Self.orders(of: "julia", "origin=all", group)
                #expect(Set(all.map(\.orderId)) == [renewal.orderId, listed[0].orderId])
                let wrong = try await group.gateway.get("/v1/buyers/julia/orders?origin=web")
                #expect(wrong.status == 422)
                #expect(try wrong.json(ProblemView.self).field == "origin")
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
