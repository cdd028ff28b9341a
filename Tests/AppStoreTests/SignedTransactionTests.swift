import AppStoreSigning
import Contracts
import Foundation
import Testing

@testable import AppStore

@Suite struct `a transaction's payload` {
    private func decode(_ json: String) throws -> SignedTransaction {
        try JSONDecoder().decode(SignedTransaction.self, from: Data(json.utf8))
    }

    private func payload(of form: String) throws -> SignedTransaction {
        try #require(SignedForm.all.first { $0.name == form }).example().payload()
    }

    @Test func `with a refund says how much of it`() throws {
        let full = try payload(of: "refund in full")
        #expect(full.revocationType == "REFUND_FULL")
        #expect(full.revocationPercentage == nil)
        let half = try payload(of: "refund of 50 percent")
        #expect(half.revocationType == "REFUND_PRORATED")
        #expect(half.revocationPercentage == 50_000)
        #expect(half.revocationDate == 1_767_225_600_000)
        #expect(half.revocationReason == 1)
    }

    @Test func `of Xcode has its fractions of a millisecond cut off`() throws {
        let transaction = try payload(of: "Xcode: transaction")
        #expect(transaction.purchaseDate == 1_767_225_600_049)
        #expect(transaction.signedDate == 1_767_225_600_056)
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
