import Contracts
import Foundation
import TestKit
import Testing

@testable import AppStore

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `unsigned proofs of Apple's and others' making` {
    @Test func `of iOS 6 state an id, which alone agrees with nothing`() throws {
        let text = String(decoding: try Vectors.bytes("apple-mock/jws/legacyTransaction"), as: UTF8.self)
        let purchase = try #require(TransactionReceipt.purchase(in: text))
        #expect(purchase == UnverifiedPurchase(transactionId: "33993399"))
        let transaction = try model()
        #expect(!purchase.agrees(with: transaction))
    }

    @Test func `agree each with its own transaction, if Apple were to sign it, and no other`() throws {
        let receipt = try AppReceipt(unverified: ReceiptVectors.genuine())
        let transactions = receipt.inApp.map { row in
            var transaction = receipt.transaction(row)
            transaction.purchaseDate += 321
            return transaction
        }
        #expect(transactions.count == 2)
        for (place, row) in receipt.inApp.enumerated() {
            #expect(transactions.map { row.agrees(with: $0) } == [place == 0, place == 1])
        }
    }

    @Test func `of Xcode agree with none that Apple signs`() throws {
        let bytes = try ReceiptVectors.bytes("apple-mock/xcode/xcode-app-receipt-with-transaction")
        let receipt = try AppReceipt(unverified: bytes)
        let row = try #require(receipt.inApp.first)
        let transaction = try model()
        #expect(!row.agrees(with: transaction))
    }

    private func model() throws -> SignedTransaction {
        try JSONDecoder().decode(SignedTransaction.self, from: Vectors.model("signedTransaction"))
    }
}
