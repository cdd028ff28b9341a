import TestKit
import AppStoreSigning
import Contracts
import Foundation
import Testing

extension WholeGroup {
    /// A verdict tells the present: what the buyer's ledger says when it is asked for.
    @Suite struct VerdictTests {
        private static func now() -> Timestamp {
            Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        }

        private static func submit(_ proof: String, _ group: TestGroup) async throws -> VerdictAnswer {
            try await group.gateway.insist("submission") {
                try await group.gateway.submit("anna", proof: proof, wait: 20_000)
            }
            .json(VerdictAnswer.self)
        }

        private static func notify(
            _ type: String,
            about transaction: SignedTransaction,
            _ group: TestGroup
        ) async throws {
            let notification = try group.home.notification(type, about: transaction)
            _ = try await group.gateway.insist(type) { try await group.gateway.notify(notification) }
        }

        @Test(.timeLimit(.minutes(2)))
        func `a purchase that was refunded since has ended, by whichever of its proofs it is asked for`()
            async throws
        {
            try await TestGroup.use { group in
                let bought = SimulatedPurchase(bundleId: TestHome.bundleID, productId: TestHome.coins)
                    .transaction(at: Self.now())
                let proof = try group.home.signer.sign(transaction: bought)
                let first = try await Self.submit(proof, group)
                let since = try #require(first.transactions.first?.grantedAt)
                #expect(first.verdict == "granted" && first.finish)
                let again = try await Self.submit(proof, group)
                #expect(again.verdict == "granted" && again.transactions.first?.grantedAt == since)

                try await Self.notify(
                    "REFUND",
                    about: bought.refunded(at: Self.now().advanced(by: 1_000)),
                    group
                )
                try await eventually("the receipt has ended") {
                    let path = "/v1/receipts/\(first.receiptId)"
                    let answer = try await group.gateway.get(path).json(VerdictAnswer.self)
                    return answer.verdict == "ended" && answer.finish && answer.reason == "refunded"
                }
                let repeated = try await Self.submit(proof, group)
                #expect(repeated.verdict == "ended" && repeated.finish && repeated.reason == "refunded")
                #expect(repeated.transactions.map(\.grantedAt) == [nil])
                var stale = bought
                stale.signedDate += 1
                let other = try await Self.submit(try group.home.signer.sign(transaction: stale), group)
                #expect(other.receiptId != first.receiptId)
                #expect(other.verdict == "ended" && other.finish)

                var reversed = bought
                reversed.signedDate = Self.now().advanced(by: 5_000).milliseconds
                try await Self.notify("REFUND_REVERSED", about: reversed, group)
                for receipt in [first.receiptId, other.receiptId] {
                    try await eventually("\(receipt) is granted again") {
                        let path = "/v1/receipts/\(receipt)"
                        let answer = try await group.gateway.get(path).json(VerdictAnswer.self)
                        return answer.verdict == "granted" && answer.transactions.first?.grantedAt == since
                    }
                }
            }
        }

        @Test func `a proof that cannot be read never makes a phone finish`() async throws {
            try await TestGroup.use(partitions: 1) { group in
                let answer = try await Self.submit("a.b.c", group)
                #expect(answer.verdict == "invalid" && !answer.finish)
                #expect(answer.reason == "malformed")
            }
        }
    }
}
