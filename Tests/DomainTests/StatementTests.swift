import Contracts
import Domain
import Testing

@Suite struct `a statement that does not say whose a purchase is` {
    private static let token = "019371c8-2e5f-8a3c-9e07-5d1f0b6c2a48"

    /// What an app receipt says.
    private static let receipt: SignedTransaction = {
        var receipt = SignedTransaction.sample("", purchased: 5, signed: 20)
        receipt.revocationDate = 20
        return receipt
    }()

    private static let whole: SignedTransaction = {
        var whole = receipt
        (whole.type, whole.signedDate, whole.revocationDate) = (ProductType.autoRenewable, 10, nil)
        (whole.inAppOwnershipType, whole.appAccountToken) = ("FAMILY_SHARED", token)
        (whole.transactionReason, whole.additionalTransactionReason) = ("PURCHASE", "SEAT_ADDITION")
        (whole.price, whole.currency, whole.webOrderLineItemId) = (990, "EUR", "7")
        return whole
    }()

    @Test func `is completed by one that does, and says itself what it can say`() {
        #expect(!Self.receipt.isWhole && Self.whole.isWhole)
        let completed = Self.receipt.completed(by: Self.whole)
        var expected = Self.whole
        (expected.signedDate, expected.revocationDate) = (20, 20)
        #expect(completed == expected)
        #expect(completed.completed(by: Self.receipt) == completed)
    }

    @Test func `completes nothing`() {
        #expect(Self.whole.completed(by: Self.receipt) == Self.whole)
        #expect(Self.receipt.completed(by: Self.receipt) == Self.receipt)
        var silent = Self.whole
        silent.appAccountToken = nil
        #expect(silent.completed(by: Self.whole) == Self.whole, "a token stays")
    }
}
