import Contracts
import Domain
import Testing

@Suite struct `sums of purchases` {
    private typealias Purchase = PurchasesAuditPage.Purchase

    private static func purchase(
        _ outcome: GrantOutcome? = .granted,
        id: String = "1",
        buyer: String = "ada",
        random: UInt64 = 1
    ) -> Purchase {
        Purchase(
            PurchaseID(unchecked: id),
            .production,
            of: BundleID(unchecked: "com.example.game"),
            by: BuyerID(unchecked: buyer),
            for: OrderID(
                time: Timestamp(milliseconds: 1_760_000_000_000),
                shard: Shard(rawValue: 5),
                random: random
            ),
            outcome
        )
    }

    private static func sums(_ purchases: Purchase...) -> PurchaseSums {
        purchases.reduce(into: PurchaseSums()) { $0.add($1) }
    }

    @Test func `are equal whatever the order and the pages`() {
        let (one, two) = (Self.purchase(id: "1"), Self.purchase(id: "2"))
        #expect(Self.sums(one, two) == Self.sums(two, one))
        var pages = PurchaseSums()
        for purchase in [two, one] {
            pages.add(PurchasesAuditPage([purchase], for: PurchasesAuditV1(), next: nil))
        }
        #expect(pages == Self.sums(one, two))
    }

    @Test func `differ by every member of a purchase, and by how often it is there`() {
        let sums = Self.sums(Self.purchase())
        for other in [
            Self.purchase(id: "2"), Self.purchase(buyer: "eve"), Self.purchase(random: 2),
            Self.purchase(.reversed), Self.purchase(.parked), Self.purchase(nil),
        ] {
            #expect(Self.sums(other) != sums)
        }
        #expect(Self.sums(Self.purchase(), Self.purchase()) != sums)
        #expect(Self.sums(Self.purchase(nil)).owners == sums.owners, "a claim has no outcome")
    }

    @Test func `are a fixed hash, the same in every program`() {
        #expect(Self.sums(Self.purchase()).owners == Self.sums(Self.purchase()).owners)
        #expect(PurchasesAuditPage([], for: PurchasesAuditV1(), next: nil).purchases == nil)
    }
}
