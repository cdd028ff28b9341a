import Contracts
import Testing

@Suite struct Verdicts {
    @Test(arguments: Verdict.allCases)
    func `A phone may finish what is granted, ended or another buyer's, and nothing else`(verdict: Verdict) {
        let final: Set<Verdict> = [.granted, .ended, .conflict]
        #expect(verdict.finish == final.contains(verdict))
    }

    @Test func `The less final a verdict is the more it weighs, and no two weigh the same`() {
        let byWeight = Verdict.allCases.sorted { $0.openness > $1.openness }
        #expect(Set(byWeight.map(\.openness)).count == Verdict.allCases.count)
        #expect(byWeight.prefix(3) == [.pending, .parked, .invalid])
        #expect(Set(byWeight.prefix { !$0.finish }) == [.pending, .parked, .invalid])
    }

    static let facts = TransactionFacts(
        environment: .production,
        bundleId: BundleID(unchecked: "com.example.game"),
        transactionId: TransactionID(unchecked: "1"),
        originalTransactionId: TransactionID(unchecked: "1"),
        productId: ProductID(unchecked: "coins.120"),
        quantity: 1,
        type: "Consumable",
        purchaseDate: Timestamp(milliseconds: 0),
        signedDate: Timestamp(milliseconds: 0)
    )

    @Test(arguments: Verdict.allCases, Verdict.allCases)
    func `A submission may be finished only if the whole and all of its transactions may`(
        whole: Verdict,
        part: Verdict
    ) {
        let verdict = ReceiptVerdictV1(
            receiptId: ReceiptID(
                signedSeconds: 0,
                shard: Shard(rawValue: 0),
                place: Shard(rawValue: 0),
                digest: []
            ),
            verdict: whole,
            transactions: [
                TransactionVerdict(Self.facts, verdict: .granted),
                TransactionVerdict(Self.facts, verdict: part),
            ]
        )
        #expect(verdict.finish == (whole.finish && part.finish))
    }
}
