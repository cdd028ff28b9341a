import Contracts
import Domain
import Testing

@Suite struct `What is shared` {
    private static func signed(_ ownership: String?, _ type: String) -> SignedTransaction {
        var signed = SignedTransaction.sample(type, quantity: 5)
        (signed.inAppOwnershipType, signed.webOrderLineItemId, signed.expiresDate) = (ownership, "7", 90)
        return signed
    }

    @Test(arguments: [
        (nil as String?, "1:7"), ("PURCHASED", "1:7"), ("FAMILY_SHARED", "1:7"), ("ASSIGNED", "2"),
    ])
    func `has its period as key, but a member's copy of a seat its transaction`(
        ownership: String?,
        key: String
    ) {
        let signed = Self.signed(ownership, ProductType.autoRenewable)
        #expect(PurchaseID(of: signed)?.rawValue == key)
    }

    @Test(arguments: [
        (nil as String?, false, 5), ("PURCHASED", false, 5), ("FAMILY_SHARED", true, 0),
        ("ASSIGNED", true, 0), ("A_WORD_OF_TOMORROW", false, 5),
    ])
    func `was paid by somebody else`(ownership: String?, isShared: Bool, paid: Int) {
        var facts = TransactionFacts.sample(ProductType.autoRenewable, quantity: 5)
        facts.inAppOwnershipType = ownership
        #expect(facts.isShared == isShared && facts.paidUnits == paid)
        #expect(facts.isAssigned == (ownership == Ownership.assigned))
    }
}
