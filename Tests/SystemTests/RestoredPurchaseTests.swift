import Contracts
import TestKit
import Testing

extension WholeGroup {
    /// What Apple gives a second device after "restore": another transaction id for the same payment.
    @Suite struct RestoredPurchaseTests {
        private static let lifetime = "pro.lifetime"

        private static func bought() -> SignedTransaction { .bought(lifetime, type: "Non-Consumable") }

        private static func restored(_ bought: SignedTransaction) -> SignedTransaction {
            var restored = bought
            restored.transactionId = bought.transactionId + "2"
            restored.originalPurchaseDate = bought.purchaseDate
            restored.purchaseDate += 5_000
            restored.signedDate += 5_000
            return restored
        }

        @Test
        func `a restored purchase is nobody else's, is granted once, and goes back by either of its ids`()
            async throws
        {
            try await TestGroup.use(partitions: 4) { group in
                let first = Self.bought()
                let second = Self.restored(first)
                let granted = try await group.submit("anna", first)
                #expect(granted.verdict == "granted" && granted.finish)

                let conflict = try await group.submit("berta", second)
                #expect(conflict.verdict == "conflict" && conflict.finish)
                #expect(conflict.transactions.map(\.transactionId) == [second.transactionId])
                #expect(conflict.transactions.map(\.originalTransactionId) == [first.transactionId])

                let again = try await group.submit("anna", second)
                #expect(again.isGranted)
                #expect(again.transactions.map(\.transactionId) == [second.transactionId])
                #expect(try await group.gateway.ledger(of: "anna").count == 1)
                #expect(try await group.gateway.ledger(of: "berta").isEmpty)
                #expect(try await group.held(by: "anna") == ["pro"])

                // What travels late has arrived: both stories are whole.
                try await group.rest()
                var stories: [Set<TraceLine>] = []
                for id in [first.transactionId, second.transactionId] {
                    let lines = try await group.trace(id)
                    #expect(lines.contains { $0.type == "counterfoil.purchase.reported.v1" })
                    stories.append(Set(lines))
                }
                #expect(stories.first == stories.last)

                try await group.notify("REFUND", about: second.refunded(after: 60_000))
                #expect(try await group.gateway.ledger(of: "anna", until: 2).count == 2)
                #expect(try await group.held(by: "anna").isEmpty)
            }
        }

        @Test func `a refund of the first id that comes before a restore leaves nothing to restore`()
            async throws
        {
            try await TestGroup.use { group in
                let first = Self.bought()
                try await group.notify("REFUND", about: first.refunded(after: 60_000))
                let ended = try await group.submit("anna", Self.restored(first))
                #expect(ended.verdict == "ended" && ended.finish)
                #expect(try await group.gateway.ledger(of: "anna").isEmpty)
            }
        }
    }
}
