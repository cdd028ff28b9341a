import AppStoreSigning
import Contracts
import TestKit
import Testing

@testable import Receipts

@Suite struct `what an unverified proof lists` {
    private static func proof(_ purchases: [SignedTransaction]) throws -> UnverifiedPurchases {
        let receipt = SimulatedReceipt(
            bundleId: Sample.app.rawValue,
            creationDate: Sample.start.advanced(by: 86_400_000),
            purchases: purchases
        )
        return UnverifiedPurchases(ProofText(kind: .appReceipt, text: try AppReceiptSigner().base64(receipt)))
    }

    @Test func `counts where it is what Apple says, and what Apple does not know is counted`() throws {
        let (one, two) = (Sample.transaction("1"), Sample.transaction("2", purchased: 5))
        let unverified = try Self.proof([one, two, Sample.transaction("3")])
        #expect(Set(unverified.identifiers.map(\.rawValue)) == ["1", "2", "3"])
        let found = try #require(unverified.match([two, one, one, Sample.transaction("9")]))
        #expect(Set(found.transactions.map(\.transactionId)) == ["1", "2"])
        #expect(found.unreadable == 1)
    }

    @Test func `is a forgery as a whole when one row guesses, be another one right`() throws {
        let real = Sample.transaction("1", purchased: 7)
        let guesses = (0..<20).map { Sample.transaction("1", purchased: $0) }
        #expect(try Self.proof(guesses).match([real]) == nil)
        #expect(try Self.proof([real]).match([real])?.transactions.count == 1)
    }

    @Test func `is a forgery when it guesses what a purchase restores`() throws {
        let type = "Non-Consumable"
        let real = Sample.transaction("1", type: type, purchased: 7)
        let guesses = (0..<20).map { second in
            var guess = Sample.transaction("\(100 + second)", original: "1", type: type, purchased: 1_000)
            guess.originalPurchaseDate = Sample.start.milliseconds + Int64(second) * 1_000
            return guess
        }
        #expect(try Self.proof(guesses).match([real]) == nil)
        let restored = try #require(try Self.proof([real, guesses[7]]).match([real]))
        #expect(restored.transactions.count == 1)
        #expect(restored.unreadable == 0)
    }

    /// Whoever hands it in becomes a candidate, so that it must state what a stranger does not know.
    @Test func `of iOS 6 is a forgery if it states an id alone, or another second, product or app`() throws {
        let real = Sample.transaction("33", purchased: 7)
        func match(_ receipt: String) -> ProofContents? {
            UnverifiedPurchases(ProofText(kind: .transactionReceipt, text: receipt)).match([real])
        }
        #expect(match(AppStoreSigner.transactionReceipt(naming: "33")) == nil)
        let forgeries = [
            Sample.transaction("33", purchased: 8), real.with(\.productId, "coins.500"),
            real.with(\.bundleId, Sample.otherApp.rawValue), real.with(\.quantity, 2),
        ]
        for forgery in forgeries {
            #expect(match(try AppStoreSigner().transactionReceipt(of: forgery)) == nil, "\(forgery)")
        }
        #expect(match(try AppStoreSigner().transactionReceipt(of: real))?.transactions == [real])
    }

    @Test func `asks about no id that is not Apple's, and no more than some thousand`() throws {
        let strange = try Self.proof([Sample.transaction(".."), Sample.transaction("a/b")])
        #expect(strange.identifiers.isEmpty)
        #expect(strange.match([])?.unreadable == 2)
        let many = try Self.proof((0..<2_500).map { Sample.transaction("\(1_000 + $0)") })
        #expect(many.identifiers.count == UnverifiedPurchases.maximumEntries)
        #expect(many.match([])?.unreadable == 2_500)
    }
}
