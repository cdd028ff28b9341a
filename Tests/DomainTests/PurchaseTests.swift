import Contracts
import Domain
import Testing

@Suite struct `A purchase` {
    private static func purchase(
        _ type: String,
        _ id: String = "2",
        original: String = "1",
        lineItem: String? = nil,
        expires: Int64? = nil,
        reason: String? = nil
    ) -> String? {
        var signed = SignedTransaction.sample(type, id, original: original)
        signed.webOrderLineItemId = lineItem
        signed.expiresDate = expires
        signed.additionalTransactionReason = reason
        return PurchaseID(of: signed)?.rawValue
    }

    @Test func `that is restored is the one it was first`() {
        #expect(Self.purchase("Non-Consumable", "1") == "1")
        #expect(Self.purchase("Non-Consumable", "2") == "1")
        #expect(Self.purchase("Non-Consumable", "3", lineItem: "0") == "1")
    }

    @Test func `of a subscription is the period of its chain, whichever device tells of it`() {
        let type = "Auto-Renewable Subscription"
        #expect(Self.purchase(type, "2", lineItem: "77", expires: 90) == "1:77")
        #expect(Self.purchase(type, "3", lineItem: "77", expires: 90) == "1:77")
        #expect(Self.purchase(type, "4", lineItem: "78", expires: 99) == "1:78")
        #expect(Self.purchase(type, "2", original: "5", lineItem: "77", expires: 90) == "5:77")
    }

    @Test(arguments: [nil, "", "0", "a line", "7:8"])
    func `of a subscription that has no line of Apple's bill is the transaction`(lineItem: String?) {
        #expect(Self.purchase("Auto-Renewable Subscription", lineItem: lineItem, expires: 90) == "2")
    }

    @Test(arguments: ["Auto-Renewable Subscription", "", "Something Newer"])
    func `of what is added to a period is the transaction, whatever line of the bill it states`(type: String)
    {
        #expect(Self.purchase(type, lineItem: "77", expires: 90, reason: "SEAT_ADDITION") == "2")
        #expect(Self.purchase(type, lineItem: "77", expires: 90, reason: "SOMETHING_NEWER") == "2")
    }

    @Test func `of a period that states an empty reason is the period`() {
        let type = "Auto-Renewable Subscription"
        #expect(Self.purchase(type, lineItem: "77", expires: 90, reason: "") == "1:77")
    }

    @Test(arguments: ["Consumable", "Non-Renewing Subscription", "Something Newer"])
    func `of everything else is the transaction`(type: String) {
        #expect(Self.purchase(type) == "2")
        #expect(Self.purchase(type, lineItem: "77", expires: 90) == "2")
    }

    @Test func `of an old receipt that states no type is the first, unless something in it ends`() {
        #expect(Self.purchase("") == "1")
        #expect(Self.purchase("", lineItem: "0") == "1")
        #expect(Self.purchase("", expires: 90) == "2")
        #expect(Self.purchase("", lineItem: "77") == "1:77")
        #expect(Self.purchase("", lineItem: "77", expires: 90) == "1:77")
    }

    @Test(arguments: [("", "1"), ("2", ""), ("a b", "1"), ("2", "1/2")])
    func `needs ids that can be Apple's`(id: String, original: String) {
        #expect(Self.purchase("Non-Consumable", id, original: original) == nil)
        #expect(Self.purchase("Consumable", id, original: original) == nil)
    }

    @Test func `was made when it was bought first, not when it was restored`() {
        var signed = SignedTransaction.sample("Non-Consumable")
        #expect(signed.boughtDate == 0)
        signed.originalPurchaseDate = 10
        #expect(signed.boughtDate == 10)
        signed.type = "Auto-Renewable Subscription"
        #expect(signed.boughtDate == 50)
        signed.transactionReason = "RENEWAL"
        #expect(signed.boughtDate == 50 - 86_400_000, "it may be paid a day before its period")
        signed.transactionReason = nil
        signed.type = "Non-Consumable"
        signed.transactionId = "1"
        #expect(signed.boughtDate == 50)
    }
}

@Suite struct `An id that is derived` {
    @Test func `is the same for the same parts, and another for others`() {
        let id = DerivedID.hexadecimal(["a", "bc"])
        #expect(id == DerivedID.hexadecimal(["a", "bc"]))
        #expect(DerivedID.isOne(id))
        #expect(Set([id, DerivedID.hexadecimal(["ab", "c"]), DerivedID.hexadecimal(["abc"])]).count == 3)
    }

    @Test(arguments: [
        "", "7", "1-0000", "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdeg",
    ])
    func `has one form`(text: String) {
        #expect(!DerivedID.isOne(text))
    }
}
