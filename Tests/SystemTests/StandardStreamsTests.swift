import Contracts
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// One service alone, on standard input and output.
    @Suite struct StandardStreamsTests {
        private static let bundle = BundleID(unchecked: TestHome.bundleID)
        private static let anna = BuyerID(unchecked: "anna")
        private static let product = ProductID(unchecked: TestHome.coins)
        private static let time = Timestamp(milliseconds: 1_780_000_000_000)
        private static let fixed = ["--stdio", "--store", ":memory:", "--now", "2026-05-28T20:26:40Z"]

        @Test(arguments: ["orders", "entitlements"])
        func
            `the same questions and events give Orders, and Entitlements, the same bytes to say, and another seed others`(
                _ service: String
            ) async throws
        {
            let input = try service == "orders" ? Self.ordersInput : Self.entitlementsInput
            try await TestHome.use { home in
                let outputs = try await ["7", "7", "8"].asyncMap { seed in
                    let options = Self.fixed + ["--seed", seed, "--home", home.root]
                    return try await home.run(service, options, input: input).succeeded().output
                }
                let lines = outputs[0].split(separator: "\n")
                #expect(lines.count { $0.hasPrefix(#"{"reply":"#) } >= 2, "\(outputs[0])")
                #expect(lines.count { $0.hasPrefix(#"{"send":"#) } >= 2, "\(outputs[0])")
                #expect(!outputs[0].contains(#"{"refused":"#), "\(outputs[0])")
                #expect(outputs[0] == outputs[1])
                #expect(outputs[0] != outputs[2])
            }
        }

        @Test func `what cannot be understood is refused, and the next line is heard all the same`()
            async throws
        {
            try await TestHome.use { home in
                let garbage = [
                    "garbage", "{}", "[]", #"{"request":7}"#,
                    #"{"request":{"type":"counterfoil.nothing.v1"}}"#,
                    #"{"request":{"type":"counterfoil.order.issue.v1","data":{}}}"#, "\u{1}\u{2}",
                ]
                let good = try Self.line("request", Self.issue, "good")
                let input = garbage.joined(separator: "\n") + "\n" + good
                let options = Self.fixed + ["--seed", "1", "--home", home.root]
                let answer = try await home.run("orders", options, input: input)
                let lines = answer.output.split(separator: "\n")
                #expect(answer.end == .exited(1))
                let complaint = answer.errors.split(separator: "\n").last
                let names = complaint?.hasPrefix("\(garbage.count) lines of the input")
                #expect(names == true, "\(answer.errors)")
                #expect(lines.count == garbage.count + 1)
                #expect(lines.first?.contains("line 1, column 1: 'g' is where a value should be") == true)
                #expect(lines.dropLast().allSatisfy { $0.hasPrefix(#"{"refused":"#) }, "\(answer.output)")
                #expect(lines.last?.hasPrefix(#"{"reply":"#) == true)
            }
        }

        @Test func `what a live service recorded comes to the same orders again, byte for byte`() async throws
        {
            try await TestHome.use(partitions: 1) { home in
                let file = home.folder + "/orders.record"
                let settings = ["orders": LooseGroup.Settings(arguments: ["--record", file])]
                let purchases = try await LooseGroup.use(home: home, settings: settings) { _, gateway in
                    _ = try await home.counterfoil("status")
                    let purchases = try await ["anna", "berta"].asyncMap {
                        try await gateway.buy($0, home: home)
                    }
                    // The phone has its verdict before the order hears of the goods.
                    try await eventually("all orders are fulfilled") {
                        try await home.counterfoil("status", "--json").json(Status.self).isAtRest
                    }
                    return purchases
                }
                let recorded = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
                let types = [
                    "counterfoil.order.issue.v1", "counterfoil.claim.proposed.v1",
                    "counterfoil.grant.recorded.v1",
                ]
                for type in types { #expect(recorded.contains(type)) }
                #expect(!recorded.contains("counterfoil.partition.status.v1"))
                let fresh = ["--stdio", "--store", ":memory:", "--home", home.root]
                let answer = try await home.run("orders", fresh, input: recorded)
                #expect(answer.end == .exited(0), "\(answer.errors)")
                for purchase in purchases {
                    #expect(answer.output.contains(#"{"reply":{"orderId":"\#(purchase.orderId)""#))
                }
                #expect(answer.output.contains(#"{"send":"#))
                #expect(!answer.output.contains(#"{"refused":"#), "\(answer.output)")
                #expect(try await home.run("orders", fresh, input: recorded).output == answer.output)
            }
        }

        // MARK: Messages

        private static let issue = OrderIssueV1(
            bundleId: bundle,
            buyerId: anna,
            productId: product,
            quantity: 1,
            environment: .production,
            idempotencyKey: "k1",
            reference: "r1"
        )

        private static var facts: TransactionFacts {
            TransactionFacts(
                environment: .production,
                bundleId: bundle,
                transactionId: TransactionID(unchecked: "2000000000000001"),
                originalTransactionId: TransactionID(unchecked: "2000000000000001"),
                productId: product,
                quantity: 1,
                type: "Consumable",
                purchaseDate: time,
                signedDate: time
            )
        }

        private static var ordersInput: String {
            get throws {
                let claim = ClaimProposedV1(attempt: 1, candidate: .caller(anna), transaction: facts)
                return try line("request", issue, "q1")
                    + line("request", OrdersFindV1(bundleId: bundle, reference: "r1"), "q2")
                    + line("event", claim, "e1")
            }
        }

        private static var entitlementsInput: String {
            get throws {
                let order = OrderID(time: time, shard: Shard(rawValue: 9), random: 1)
                let terms = OrderTerms(orderId: order)
                let grant = PurchaseReportedV1(buyerId: anna, order: terms, transaction: facts)
                let holdings = EntitlementsGetV1(
                    bundleId: bundle,
                    buyerId: anna,
                    environment: .production
                )
                return try line("event", grant, "e1") + line("request", holdings, "q1")
                    + line("request", LedgerGetV1(bundleId: bundle, buyerId: anna, limit: 10), "q2")
            }
        }

        private static func line<Body: Contract>(_ kind: String, _ body: Body, _ id: String) throws -> String
        {
            let event = Event(
                id: EventID(unchecked: id),
                source: "/test",
                time: time,
                subject: "\(bundle)/\(anna)",
                data: body
            )
            let text = String(decoding: try EventCoder.encoder().encode(event), as: UTF8.self)
            return "{\"\(kind)\":\(text)}\n"
        }
    }
}
