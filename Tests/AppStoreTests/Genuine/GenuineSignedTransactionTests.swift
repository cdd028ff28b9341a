import Contracts
import Foundation
import TestKit
import Testing

@testable import AppStore

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `transactions' payloads of Apple's and others' making` {
    private func model(_ name: String) throws -> Data {
        Data(try Vectors.bytes("apple-mock/models/\(name).json"))
    }

    @Test func `with a refund says how much of it`() throws {
        let transaction = try JSONDecoder()
            .decode(SignedTransaction.self, from: model("signedTransactionWithRevocation"))
        #expect(transaction.revocationType == "REFUND_PRORATED")
        #expect(transaction.revocationPercentage == 50_000)
        #expect(transaction.revocationDate == 1_698_148_950_000)
        #expect(transaction.revocationReason == 1)
    }

    @Test func `of Xcode has its fractions of a millisecond cut off`() throws {
        let jws = try Vectors.bytes("apple-mock/xcode/xcode-signed-transaction")
        let payload = try CompactJWS(jws, maximumBytes: CompactJWS.maximumBytes).payload
        let transaction = try JSONDecoder().decode(SignedTransaction.self, from: Data(payload))
        #expect(transaction.purchaseDate == 1_697_679_936_049)
        #expect(transaction.signedDate == 1_697_679_936_056)
        #expect(transaction.expiresDate == 1_700_358_336_049)
        #expect(transaction.environment == "Xcode")
    }
}
