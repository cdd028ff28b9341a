import Contracts
import Domain
import Testing

@Suite struct `the refunded share of a purchase` {
    /// A purchase of which Apple has refunded 40 %.
    private static func refunded(_ type: String) -> TransactionFacts {
        var facts = TransactionFacts.sample(type)
        facts.revocationDate = facts.signedDate
        (facts.revocationType, facts.revocationPercentage) = ("REFUND_PRORATED", 40_000)
        return facts
    }

    @Test func `out of bounds is the nearest bound`() {
        #expect(RefundedShare(milliunits: -1) == .none)
        #expect(RefundedShare(milliunits: 200_000) == .full)
    }

    @Test(arguments: [nil, "REFUND_FULL", "FAMILY_REVOKE", "SOMETHING_NEWER"])
    func `is all of it unless Apple says prorated`(type: String?) {
        var facts = Self.refunded("Consumable")
        #expect(RefundedShare(facts) == RefundedShare(milliunits: 40_000))
        facts.revocationType = type
        #expect(RefundedShare(facts) == .full)
        facts.revocationDate = nil
        #expect(RefundedShare(facts) == .none)
    }

    @Test func `is all of a period, because access has no parts`() {
        #expect(RefundedShare(Self.refunded(ProductType.autoRenewable)).isFull)
        #expect(!RefundedShare(Self.refunded(ProductType.nonConsumable)).isFull)
    }

    @Test func `is all of the amounts of what somebody else paid for`() {
        var facts = Self.refunded(ProductType.nonConsumable)
        facts.revocationDate = nil
        facts.inAppOwnershipType = "FAMILY_SHARED"
        #expect(RefundedShare(ofAmounts: facts) == .full)
        #expect(RefundedShare(facts) == .none)
    }
}
