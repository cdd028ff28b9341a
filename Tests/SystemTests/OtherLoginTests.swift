import Contracts
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// What is handed in by a login that has not bought it, and what a phone did.
    @Suite struct OtherLoginTests {
        private static func handIn(
            _ proof: String,
            by buyer: String,
            purchasedBy owner: String,
            _ gateway: GatewayClient
        ) async throws -> HTTPReply {
            let body = #"""
                {"bundleId":"\#(gateway.bundleID)","buyerId":"\#(buyer)","purchasedBy":"\#(owner)",
                 "signedTransaction":"\#(proof)"}
                """#
            return try await gateway.post("/v1/receipts?wait=0", json: body)
        }

        @Test(.timeLimit(.minutes(2)))
        func `what another login has bought waits for its buyer, and an id alone for Apple's word`()
            async throws
        {
            try await AppStoreGroup.use { asking in
                let gateway = asking.gatewayWithKey
                let sold = try await asking.appStore.sell(to: gateway.bundleID).transaction
                let waiting = try await Self.handIn(
                    sold.signedTransaction,
                    by: "bob",
                    purchasedBy: "ada",
                    gateway
                )
                #expect(waiting.status == 202)
                let receipt = try waiting.json(VerdictAnswer.self).receiptId
                try await eventually("bob hears for whom it waits") {
                    try await gateway.verdict(of: receipt).reason == "waitsForBuyer"
                }
                try await asking.killReceipts()
                #expect(try await gateway.verdict("ada", proof: sold.signedTransaction).isGranted)
                try await eventually("bob hears that it is another's") {
                    let verdict = try await gateway.verdict(of: receipt)
                    return verdict.verdict == "conflict" && verdict.finish
                }

                let paid = try await asking.sell(for: try await gateway.order("ada"))
                let id = paid.transactionId
                let others = try await gateway.verdict("bob", proof: id, kind: "transactionId")
                #expect(others.verdict == "conflict")
                #expect(try await gateway.verdict("ada", proof: id, kind: "transactionId").isGranted)
                #expect(try await gateway.ledger(of: "bob").isEmpty)
                #expect(try await gateway.ledger(of: "ada").count == 2)
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `a phone's steps are shown with the messages, once, and cannot control a terminal`() async throws
        {
            try await TestGroup.use { group in
                let order = try await group.gateway.order("ada").id
                let steps = #"[{"at":1760000000000,"step":"failed","code":"\u202e\u001b[2J","domain":"SK"}]"#
                for _ in 0..<2 {
                    let reply = try await group.gateway.post("/v1/orders/\(order)/log", json: steps)
                    #expect(reply.status == 200)
                }
                let text = try await group.counterfoil("trace", order).output
                let shown = #"phone: failed (SK \u{202e}\u{1b}[2J)"#
                #expect(text.split(separator: "\n").count { $0.contains(shown) } == 1, "\(text)")
            }
        }
    }
}
