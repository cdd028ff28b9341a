import AppStoreSigning
import Contracts
import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// What a buyer's phone and game server see of orders in every state.
    @Suite struct BuyerOrdersTests {
        /// An order that was brought into a state.
        private typealias Made = (state: OrderV1.State, id: OrderID)

        private static let buyer = "karl"

        /// Pays an order, as the store signs it with this type.
        private static func pay(
            _ order: OrderV1,
            _ gateway: GatewayClient,
            _ home: TestHome,
            type: String = "Consumable",
            wait: Int = 20_000
        ) async throws -> SignedTransaction {
            let (product, token) = (order.productId.rawValue, order.appAccountToken)
            let paid = SignedTransaction.bought(product, type: type, token: token)
            let proof = try home.signer.sign(transaction: paid)
            _ = try await gateway.verdict(buyer, proof: proof, wait: wait)
            return paid
        }

        @Test
        func
            `lists, onlyOne and reports follow orders through their states, in Production unless asked otherwise`()
            async throws
        {
            try await TestHome.use { home in
                try await LooseGroup.use(home: home) { group, gateway in
                    let issued = try await gateway.place(Self.buyer, product: "pro.lifetime")
                    var made: [Made] = [(.issued, issued.orderId)]
                    for id in try await Self.fail(gateway) { made.append((.closed, id)) }
                    made.append((.deferred, try await Self.postpone(gateway)))
                    made.append((.granted, try await Self.grant(gateway, home)))
                    made.append((.refunded, try await Self.refund(gateway, home)))
                    made.append((.parked, try await Self.park(gateway, home)))
                    try await Self.checkEnvironments(gateway, home)

                    // What is paid now waits for the ledger until that goes on.
                    let ledger = try #require(group.member("entitlements"))
                    ledger.send(SIGSTOP)
                    let paid = try await gateway.place(Self.buyer)
                    _ = try await Self.pay(paid, gateway, home, wait: 0)
                    try await gateway.order(by: paid.orderId, until: .paid)
                    try await Self.checkOpen(paid.orderId, .paid, gateway)
                    made.append((.paid, paid.orderId))
                    try await Self.checkLists(made, gateway)
                    ledger.send(SIGCONT)
                    try await gateway.order(by: paid.orderId, until: .granted)
                    #expect(try await gateway.orders(of: Self.buyer, "state=paid").orders.isEmpty)
                }
            }
        }

        /// Checks that no second order of the product is made, but the answer names this one.
        private static func checkOpen(
            _ order: OrderID,
            _ state: OrderV1.State,
            _ gateway: GatewayClient
        ) async throws {
            let second = try await gateway.issue(buyer, onlyOne: true, key: UUID().uuidString)
            #expect(second.status == 409, "\(second.text)")
            let refusal = try second.json(OpenOrderAnswer.self)
            #expect(refusal.code == "openOrder")
            #expect(refusal.order?.orderId == order && refusal.order?.state == state, "\(second.text)")
        }

        // MARK: Orders in each state

        /// An error of StoreKit, how it is kept, and the beginning of what the buyer is told.
        private struct Fault {
            let members: String
            let kept: ReportedError
            let english: String
            let chinese: String
        }

        private static let faults = [
            Fault(
                members: #""errorDomain":"SKErrorDomain","errorCode":5"#,
                kept: ReportedError(domain: "SKErrorDomain", code: "5"),
                english: "This product is not available in the App Store",
                chinese: "您所在国家或地区的 App Store 不提供此商品"
            ),
            Fault(
                members: #""errorDomain":"StoreKit.Product.PurchaseError","errorCode":"invalidQuantity""#,
                kept: ReportedError(domain: "StoreKit.Product.PurchaseError", code: "invalidQuantity"),
                english: "This quantity cannot be bought",
                chinese: "不能购买此数量"
            ),
        ]

        /// Reports an order for each error, in both languages; the first error is kept.
        private static func fail(_ gateway: GatewayClient) async throws -> [OrderID] {
            var closed: [OrderID] = []
            for fault in faults {
                let id = try await gateway.place(buyer).orderId
                let body = #"{"outcome":"failed",\#(fault.members)}"#
                let first = try await gateway.reported(id, body, in: "en")
                #expect(first.order.state == .closed && first.order.closeReason == .failed)
                #expect(first.order.error == fault.kept && first.message.hasPrefix(fault.english))
                let second = try await gateway.reported(id, body, in: "zh-CN")
                #expect(second.order == first.order && second.message.hasPrefix(fault.chinese))
                let other = #"{"outcome":"cancelled","errorDomain":"SKErrorDomain","errorCode":2}"#
                #expect(try await gateway.reported(id, other, in: "en").order == first.order)
                #expect(try await gateway.order(by: id).error == fault.kept)
                closed.append(id)
            }
            return closed
        }

        /// An order that waits for an approval; the request for it is recognised, though only one may be open.
        private static func postpone(_ gateway: GatewayClient) async throws -> OrderID {
            let first = try await gateway.issue(buyer, onlyOne: true, key: "only")
            #expect(first.status == 201, "neither closed orders nor other products are in the way")
            let id = try first.json(OrderV1.self).orderId
            let again = try await gateway.issue(buyer, onlyOne: true, key: "only")
            #expect(again.status == 201 && again.text == first.text, "a repeated key is recognised first")
            let answer = try await gateway.reported(id, #"{"outcome":"deferred"}"#, in: "en")
            #expect(answer.order.state == .deferred)
            try await checkOpen(id, .deferred, gateway)
            let repeated = try await gateway.issue(buyer, onlyOne: true, key: "only").json(OrderV1.self)
            #expect(repeated == answer.order)
            return id
        }

        /// A granted order, which no report changes.
        private static func grant(_ gateway: GatewayClient, _ home: TestHome) async throws -> OrderID {
            let order = try await gateway.place(buyer)
            _ = try await pay(order, gateway, home)
            let granted = try await gateway.order(by: order.orderId, until: .granted)
            for outcome in ["deferred", "cancelled", "failed"] {
                let body = #"{"outcome":"\#(outcome)","errorDomain":"SKErrorDomain","errorCode":2}"#
                let answer = try await gateway.reported(order.orderId, body, in: "en")
                #expect(answer.order == granted, "\(outcome)")
                #expect(answer.message.hasPrefix("The purchase has been paid."), "\(answer.message)")
            }
            #expect(try await gateway.order(by: order.orderId) == granted)
            return order.orderId
        }

        private static func refund(_ gateway: GatewayClient, _ home: TestHome) async throws -> OrderID {
            let order = try await gateway.place(buyer)
            let bought = try await pay(order, gateway, home)
            try await gateway.order(by: order.orderId, until: .granted)
            try await gateway.notify("REFUND", about: bought.refunded(), home: home)
            try await gateway.order(by: order.orderId, until: .refunded)
            return order.orderId
        }

        /// An order that is parked, because the store signs another type than the catalog's.
        private static func park(_ gateway: GatewayClient, _ home: TestHome) async throws -> OrderID {
            let order = try await gateway.place(buyer)
            _ = try await pay(order, gateway, home, type: "Non-Consumable")
            try await gateway.order(by: order.orderId, until: .parked)
            try await checkOpen(order.orderId, .parked, gateway)
            return order.orderId
        }

        // MARK: Reads

        /// Checks that reads without an environment are those of Production, and show nothing of the sandbox.
        private static func checkEnvironments(_ gateway: GatewayClient, _ home: TestHome) async throws {
            var tested = SignedTransaction.bought("pro.lifetime", type: "Non-Consumable")
            tested.environment = "Sandbox"
            let proof = try home.signer.sign(transaction: tested)
            #expect(try await gateway.verdict(buyer, proof: proof).isGranted)
            for what in ["orders", "entitlements", "subscriptions", "ledger"] {
                let path = "/v1/buyers/\(buyer)/\(what)"
                let plain = try await gateway.get(path)
                let production = try await gateway.get(path + "?environment=Production")
                #expect(plain.status == 200 && plain.text == production.text, "\(plain.text)")
            }
            let orders = try await gateway.orders(of: buyer).orders
            #expect(orders.count == 7 && orders.allSatisfy { $0.environment == .production })
            let own = try await gateway.orders(of: buyer, "environment=Sandbox").orders
            #expect(own.map(\.transactionId?.rawValue) == [tested.transactionId])
            #expect(own.map(\.environment) == [.sandbox])
            let path = "/v1/buyers/\(buyer)/entitlements"
            let held = try await gateway.get(path).json(EntitlementsV1.self)
            #expect(held.entitlements.isEmpty && held.balances == ["coins": 120])
            let tests = try await gateway.get(path + "?environment=Sandbox").json(EntitlementsV1.self)
            #expect(tests.entitlements.map(\.entitlement) == ["pro"])
            let ledger = "/v1/buyers/\(buyer)/ledger?environment=Sandbox"
            let entries = try await gateway.get(ledger).json(LedgerV1.self).entries
            #expect(entries.map(\.entitlement) == ["pro"])
        }

        /// Checks that each list has just those of the orders that were made that belong to it.
        private static func checkLists(_ made: [Made], _ gateway: GatewayClient) async throws {
            let all = try await gateway.orders(of: buyer)
            let times = all.orders.map(\.createdAt)
            #expect(times == times.sorted(by: >), "newest first")
            #expect(Set(all.orders.map(\.orderId)) == Set(made.map(\.id)))
            #expect(all.orders.count == made.count && all.next == nil)

            var (found, next, pages): ([OrderV1], OrderID?, Int) = ([], nil, 0)
            repeat {
                let after = next.map { "&after=\($0.rawValue)" } ?? ""
                let page = try await gateway.orders(of: buyer, "limit=3" + after)
                (found, next, pages) = (found + page.orders, page.next, pages + 1)
            } while next != nil
            #expect(found == all.orders && pages == 3, "each once, page by page")

            for state in OrderV1.State.allCases {
                let listed = try await gateway.orders(of: buyer, "state=\(state.rawValue)").orders
                let wanted = made.filter { $0.state == state }.map(\.id)
                #expect(Set(listed.map(\.orderId)) == Set(wanted), "\(state)")
                #expect(wanted.isEmpty == (state == .void), "nothing goes to another buyer here")
                #expect(listed.allSatisfy { $0.state == state })
            }
            let open = try await gateway.orders(of: buyer, "state=open").orders.map(\.state)
            #expect(open == [.paid, .parked, .deferred, .issued])
            let pro = try await gateway.orders(of: buyer, "productId=pro.lifetime").orders.map(\.state)
            #expect(pro == [.issued])
            let coins = try await gateway.orders(of: buyer, "state=open&productId=coins.120").orders
            #expect(coins.map(\.state) == [.paid, .parked, .deferred])
        }
    }
}
