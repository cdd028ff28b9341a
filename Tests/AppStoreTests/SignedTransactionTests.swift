import Contracts
import Foundation
import Testing

@testable import AppStore

@Suite struct `a transaction's payload` {
    private func decode(_ json: String) throws -> SignedTransaction {
        try JSONDecoder().decode(SignedTransaction.self, from: Data(json.utf8))
    }

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

    static let least = #"""
        {"transactionId":"1","originalTransactionId":"1","bundleId":"b","productId":"p","purchaseDate":5,
        "type":"New Kind","environment":"Moon","signedDate":6
        """#

    @Test func `without a quantity means one, and keeps what it does not know`() throws {
        let transaction = try decode(Self.least + #","offerDiscountType":"NEW","newField":[1]}"#)
        #expect(transaction.quantity == 1)
        #expect(transaction.type == "New Kind")
        #expect(transaction.offerDiscountType == "NEW")
        #expect(transaction.environment == "Moon")
    }

    @Test func `leaves absent what is absent, and takes null for it`() throws {
        let transaction = try decode(Self.least + #","expiresDate":null,"price":null}"#)
        #expect(transaction == (try decode(Self.least + "}")))
        let json = String(decoding: try JSONEncoder().encode(transaction), as: UTF8.self)
        #expect(!json.contains("expiresDate") && !json.contains("price"))
    }

    @Test(arguments: [
        #""expiresDate":"1""#, #""expiresDate":1e300"#, #""price":"1""#, #""price":1.5"#, #""isUpgraded":1"#,
        #""quantity":"1""#, #""revocationDate":true"#,
    ])
    func `with a field of the wrong kind is refused`(field: String) throws {
        #expect(throws: DecodingError.self) { try decode(Self.least + "," + field + "}") }
    }
}
