import Contracts
import Domain
import Testing

@Suite struct `What is shared` {
    private static func signed(_ ownership: String?, _ type: String) -> SignedTransaction {
        var signed = SignedTransaction(
            transactionId: "2",
            originalTransactionId: "1",
            bundleId: "com.example.game",
            productId: "club",
            purchaseDate: 50,
            quantity: 5,
            type: type,
            environment: "Production",
            signedDate: 60
        )
        (signed.inAppOwnershipType, signed.webOrderLineItemId, signed.expiresDate) = (ownership, "7", 90)
        return signed
    }

    @Test(
        arguments: [
            (nil, "1:7"), ("PURCHASED", "1:7"), ("FAMILY_SHARED", "1:7"), ("ASSIGNED", "2"),
        ] as [(String?, String)]
    )
    func `has its period as key, but a member's copy of a seat its transaction`(
        ownership: String?,
        key: String
    ) {
        let signed = Self.signed(ownership, ProductType.autoRenewable)
        #expect(PurchaseID(of: signed)?.rawValue == key)
    }

    @Test(
        arguments: [
            (nil, false, 5), ("PURCHASED", false, 5), ("FAMILY_SHARED", true, 0), ("ASSIGNED", true, 0),
            ("A_WORD_OF_TOMORROW", false, 5),
        ] as [(String?, Bool, Int)]
    )
    func `was paid by somebody else`(ownership: String?, isShared: Bool, paid: Int) {
        var facts = TransactionFacts(
            environment: .production,
            bundleId: BundleID(unchecked: "com.example.game"),
            transactionId: TransactionID(unchecked: "2"),
            originalTransactionId: TransactionID(unchecked: "1"),
            productId: ProductID(unchecked: "club"),
            quantity: 5,
            type: ProductType.autoRenewable,
            purchaseDate: Timestamp(milliseconds: 50),
            signedDate: Timestamp(milliseconds: 60)
        )
        facts.inAppOwnershipType = ownership
        #expect(facts.isShared == isShared && facts.paidUnits == paid)
        #expect(facts.isAssigned == (ownership == Ownership.assigned))
    }
}
