import Contracts
import TestKit
import Testing

extension WholeGroup {
    /// The operator's word for everything that waits for one.
    @Suite struct RetryTests {
        private static let product = "gems.7"

        /// Hands in a purchase of a product that the catalog does not know.
        private static func park(
            _ transaction: SignedTransaction,
            _ group: TestGroup
        ) async throws -> VerdictAnswer {
            let answer = try await group.submit("anna", transaction)
            #expect(answer.verdict == "parked" && answer.reason == "unknownProduct" && !answer.finish)
            try await group.rest()
            let retried = try await group.counterfoil("retry")
            #expect(retried.output.hasSuffix(" 1 grant; 0 changed\n"), "\(retried.output)")
            let status = try await group.counterfoil("status")
            #expect(status.output.contains("WAITING for an operator: 1 grant; "), "\(status.output)")
            return answer
        }

        @Test(.timeLimit(.minutes(2)))
        func `a purchase of a product that the catalog came to know is granted once, and all are told`()
            async throws
        {
            let backend = try await WebhookBackend()
            let bought = SignedTransaction.bought(Self.product)
            try await TestHome.use(webhook: backend.url) { home in
                let parked = try await TestGroup.use(home: home) { try await Self.park(bought, $0) }
                let order = try #require(parked.transactions.first?.orderId)
                #expect(backend.received.isEmpty)
                let gems = TestHome.product(Self.product, "consumable", ["gems": 7])
                try await home.load(catalog: TestHome.catalog(with: gems))
                try await TestGroup.use(home: home) { group in
                    let released = try await group.counterfoil("retry", "--product", Self.product)
                    let row = try #require(released.output.split(separator: "\n").dropFirst().first)
                    let cells = Set(row.split(separator: " ").map(String.init))
                    let said = ["grant", bought.transactionId, Self.product, "anna", "granted"]
                    #expect(cells.isSuperset(of: said))
                    #expect(released.output.hasSuffix(" 1 grant; 1 changed\n"), "\(released.output)")
                    try await Self.checkGranted(parked.receiptId, order, group)

                    let again = try await group.counterfoil("retry")
                    #expect(again.output.hasSuffix(" 0 grants; 0 changed\n"), "\(again.output)")
                    try await group.rest()
                    let entries = try await group.gateway.ledger(of: "anna")
                    #expect(entries.map(\.transactionId) == [bought.transactionId])
                    try await eventually("the game's server is told") { !backend.received.isEmpty }
                    #expect(Set(backend.received.map(\.id)).count == 1)
                    let nobody = GatewayClient.unknownReceipt
                    try await home.counterfoil("retry", "--receipt", nobody).expect(exit: 1)
                }
                try await home.counterfoil("retry").expect(exit: 3, "does not answer")
                try await home.counterfoil("retry", "--product", "nope")
                    .expect(exit: 2, "names no product nope", inOneLine: true)
            }
        }

        private static func checkGranted(_ receipt: String, _ order: String, _ group: TestGroup) async throws
        {
            try await eventually("the phone is told that it is granted") {
                let answer = try await group.gateway.verdict(of: receipt)
                let isSince = answer.transactions.first?.grantedAt != nil
                return answer.isGranted && answer.finish && isSince
            }
            try await eventually("the order is granted") {
                try await group.gateway.get("/v1/orders/\(order)").json(OrderAnswer.self).state == "granted"
            }
        }
    }
}
