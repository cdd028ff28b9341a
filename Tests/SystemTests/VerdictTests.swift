import AppStoreSigning
import Contracts
import TestKit
import Testing

extension WholeGroup {
    /// A verdict tells the present: what the buyer's ledger says when it is asked for.
    @Suite struct VerdictTests {
        @Test(.timeLimit(.minutes(2)))
        func `a purchase that was refunded since has ended, by whichever of its proofs it is asked for`()
            async throws
        {
            try await TestGroup.use { group in
                let bought = SignedTransaction.bought()
                let proof = try group.home.signer.sign(transaction: bought)
                let first = try await group.gateway.verdict("anna", proof: proof)
                let since = try #require(first.transactions.first?.grantedAt)
                #expect(first.verdict == "granted" && first.finish)
                let again = try await group.gateway.verdict("anna", proof: proof)
                #expect(again.verdict == "granted" && again.transactions.first?.grantedAt == since)

                try await group.notify("REFUND", about: bought.refunded())
                try await eventually("the receipt has ended") {
                    let answer = try await group.gateway.verdict(of: first.receiptId)
                    return answer.verdict == "ended" && answer.finish && answer.reason == "refunded"
                }
                let repeated = try await group.gateway.verdict("anna", proof: proof)
                #expect(repeated.verdict == "ended" && repeated.finish && repeated.reason == "refunded")
                #expect(repeated.transactions.map(\.grantedAt) == [nil])
                var stale = bought
                stale.signedDate += 1
                let other = try await group.submit("anna", stale)
                #expect(other.receiptId != first.receiptId)
                #expect(other.verdict == "ended" && other.finish)

                var reversed = bought
                reversed.signedDate = Timestamp.now().advanced(by: 5_000).milliseconds
                try await group.notify("REFUND_REVERSED", about: reversed)
                for receipt in [first.receiptId, other.receiptId] {
                    try await eventually("\(receipt) is granted again") {
                        let answer = try await group.gateway.verdict(of: receipt)
                        return answer.verdict == "granted" && answer.transactions.first?.grantedAt == since
                    }
                }
            }
        }

        @Test func `a proof that cannot be read never makes a phone finish`() async throws {
            try await TestGroup.use(partitions: 1) { group in
                let answer = try await group.gateway.verdict("anna", proof: "a.b.c")
                #expect(answer.verdict == "invalid" && !answer.finish)
                #expect(answer.reason == "malformed")
            }
        }
    }
}
