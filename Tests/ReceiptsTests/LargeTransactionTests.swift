import AppStoreSigning
import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a transaction of Advanced Commerce` {
    private static let items = (0..<250).map { number in
        JSONValue.object([
            "SKU": .string("com.example.game.creator.\(10_000 + number)"),
            "description": .string(String(repeating: "d", count: 120)),
            "displayName": .string(String(repeating: "n", count: 90)),
            "price": .integer(9_990), "revocationDate": .null, "refunds": .array([]),
        ])
    }

    @Test func `with 250 items is verified, and goes to its claim whole`() throws {
        let (group, signer) = (ReceiptsGroup(), try AppStoreSigner())
        group.reader = AppStoreProofReader(trusting: [signer.rootDER])
        var signed = Sample.transaction()
        signed.advancedCommerceInfo = .object([
            "items": .array(Self.items), "requestReferenceId": .string("r"),
        ])
        let proof = try signer.sign(transaction: signed)
        #expect((100_000...128 << 10).contains(proof.utf8.count))
        let sent = try group.submit(proof).sent
        let event = try #require(sent.first { $0.type == TransactionVerifiedV1.type })
        #expect(event.bytes.count > ClaimProposedV1.maximumBytes)
        #expect(event.bytes.count <= TransactionVerifiedV1.maximumBytes)
        #expect(try sent.bodies(TransactionVerifiedV1.self).map(\.transaction) == [signed])
    }
}
