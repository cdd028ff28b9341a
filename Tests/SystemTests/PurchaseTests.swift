import TestKit
import Testing

extension WholeGroup {
    @Suite struct PurchaseTests {
        /// The steps of every purchase, as `trace` names them.
        static let steps: [(service: String, type: String)] = [
            ("orders", "counterfoil.order.issue.v1"),
            ("receipts", "counterfoil.receipt.submit.v1"),
            ("receipts", "counterfoil.transaction.verified.v1"),
            ("orders", "counterfoil.claim.proposed.v1"),
            ("receipts", "counterfoil.claim.held.v1"),
            ("entitlements", "counterfoil.purchase.reported.v1"),
            ("notifications", "counterfoil.entitlement.changed.v1"),
            ("orders", "counterfoil.grant.recorded.v1"),
        ]

        @Test
        func
            `a purchase is granted, and every step of it is told by trace, whichever of its ids is asked for`()
            async throws
        {
            try await TestGroup.use(partitions: 4) { group in
                let purchase = try await group.buy("anna")
                try await group.rest()
                try await group.verify([purchase])
                let receipt = try #require(purchase.receiptId)
                let stories = try await [purchase.orderId, purchase.transactionId, receipt].asyncMap {
                    try await group.trace($0)
                }
                for story in stories {
                    for step in Self.steps {
                        #expect(
                            story.contains { $0.service == step.service && $0.type == step.type },
                            "\(step) is missing in \(story.map { "\($0.service) \($0.type)" })"
                        )
                    }
                    #expect(story.map(\.time) == story.map(\.time).sorted())
                }
                #expect(Set(stories.map(Set.init)).count == 1, "the three stories differ")
            }
        }

        @Test
        func `a proof that was sent again shows both journeys, every step with its cause, by each step's id`()
            async throws
        {
            try await TestGroup.use(partitions: 4) { group in
                let purchase = try await group.buy("anna")
                try await group.rest()
                let again = try await group.gateway.submit("anna", proof: purchase.proof)
                #expect(again.status == 200, "\(again.text)")
                try await group.rest()
                let whole = try await group.trace(purchase.orderId)
                let twice = Self.steps.map(\.type).filter {
                    ![
                        "counterfoil.order.issue.v1", "counterfoil.claim.proposed.v1",
                        "counterfoil.claim.held.v1",
                    ]
                    .contains($0)
                }
                for type in twice {
                    #expect(whole.count { $0.type == type } == 2, "\(type) in \(whole.map(\.type))")
                }
                #expect(whole.count { $0.type == "counterfoil.transaction.updated.v1" } == 1)
                let causes = Set(whole.compactMap(\.causationid))
                #expect(causes.isSubset(of: whole.map(\.id)), "\(whole)")
                for line in whole {
                    let lineStory = try await group.trace(line.id)
                    #expect(Set(lineStory) == Set(whole), "\(line) does not lead to the rest")
                }
            }
        }

        @Test func `an order is found granted, and the same submission again is granted, too`()
            async throws
        {
            try await TestGroup.use { group in
                let purchase = try await group.buy("anna")
                let order = try await group.gateway.get("/v1/orders/\(purchase.orderId)")
                    .json(OrderAnswer.self)
                #expect(order.state == "granted" || order.state == "paid")
                #expect(try await group.gateway.verdict("anna", proof: purchase.proof).isGranted)
                let other = try await group.gateway.verdict("berta", proof: purchase.proof)
                #expect(other.verdict == "conflict" && other.finish)
                try await group.verify([purchase])
            }
        }
    }
}

extension Array {
    /// The results of one call after the other.
    func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
