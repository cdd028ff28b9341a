import Contracts
import Domain
import TestKit
import Testing

@testable import Control

@Suite struct `three services that say what they know of a purchase` {
    typealias Purchase = PurchasesAuditPage.Purchase

    static func purchase(
        _ outcome: GrantOutcome? = nil,
        id: String = "1",
        buyer: String = "ada",
        order: UInt64 = 1
    ) -> Purchase {
        Purchase(
            PurchaseID(unchecked: id),
            .production,
            of: .game,
            by: BuyerID(unchecked: buyer),
            for: OrderID(
                time: Timestamp(milliseconds: 1_760_000_000_000),
                shard: Shard(rawValue: 5),
                random: order
            ),
            outcome
        )
    }

    private func laws(_ claims: [Purchase], _ orders: [Purchase], _ grants: [Purchase]) -> [String] {
        PurchaseComparison(claims: claims, orders: orders, grants: grants).differences.map(\.law)
    }

    @Test(arguments: GrantOutcome.allCases)
    func `agree where they say the same`(outcome: GrantOutcome) {
        let decided = Self.purchase(outcome)
        #expect(laws([Self.purchase()], [decided], [decided]).isEmpty)
    }

    @Test func `agree while an order has not heard of its grant`() {
        #expect(laws([Self.purchase()], [Self.purchase()], []).isEmpty)
        #expect(laws([Self.purchase()], [Self.purchase()], [Self.purchase(.granted)]).isEmpty)
    }

    @Test(
        arguments: [
            ([purchase(), purchase()], [purchase(.granted)], [purchase(.granted)], "purchaseIsClaimedOnce"),
            (
                [purchase()], [purchase(.granted), purchase(.granted, order: 2)], [purchase(.granted)],
                "purchasePaysOneOrder"
            ),
            (
                [purchase()], [purchase(.granted)], [purchase(.granted), purchase(.granted, buyer: "eve")],
                "purchaseIsGrantedOnce"
            ),
            ([], [purchase(.granted)], [purchase(.granted)], "orderHasClaim"),
            ([purchase(order: 2)], [purchase(.granted)], [purchase(.granted)], "claimHasOrder"),
            ([purchase(buyer: "eve")], [purchase(.granted)], [purchase(.granted)], "claimHasOrder"),
            ([purchase()], [], [], "claimHasOrder"),
            ([purchase()], [purchase(.granted)], [], "orderHasGrant"),
            ([purchase()], [purchase(.granted)], [purchase(.granted, order: 2)], "grantHasOrder"),
            ([purchase()], [purchase(.granted)], [purchase(.granted, buyer: "eve")], "grantHasOrder"),
            ([], [], [purchase(.granted)], "grantHasOrder"),
            ([purchase()], [purchase(.granted)], [purchase(.reversed)], "orderSaysWhatGrantSays"),
            ([purchase()], [purchase(.parked)], [purchase(.granted)], "orderSaysWhatGrantSays"),
        ] as [([Purchase], [Purchase], [Purchase], String)]
    )
    func `break one law each, by its name`(
        claims: [Purchase],
        orders: [Purchase],
        grants: [Purchase],
        law: String
    ) {
        #expect(laws(claims, orders, grants) == [law])
    }

    @Test func `differ by sums exactly where they differ by rows`() {
        var sides = PurchaseSides()
        let question = PurchasesAuditV1(isListed: true)
        let decided = Self.purchase(.granted)
        for (service, purchase) in [
            (ServiceName.receipts, Self.purchase()), (.orders, decided), (.entitlements, decided),
        ] {
            sides.add(
                PurchasesAuditPage([purchase], for: question, next: nil),
                of: PartitionAddress(service, 0)
            )
        }
        #expect(sides.agree && sides.differences.isEmpty)
        sides.add(
            PurchasesAuditPage([decided], for: question, next: nil),
            of: PartitionAddress(.entitlements, 1)
        )
        #expect(!sides.agree)
        #expect(sides.differences.map(\.law) == ["purchaseIsGrantedOnce"])
    }

    @Test func `are asked on as long as what was under way at the first look is`() {
        var limit = AuditLookLimit()
        var reached = (1..<AuditLookLimit.minimumLooks).map { _ in limit.isReached(oldestUnsettledMs: 0) }
        reached.append(limit.isReached(oldestUnsettledMs: 5_000))
        #expect(!reached.contains(true))
        var other = limit
        let isOver = other.isReached(oldestUnsettledMs: 0)
        #expect(isOver)
        let looks = AuditLookLimit.minimumLooks + 1...AuditLookLimit.maximumLooks
        reached = looks.map { _ in limit.isReached(oldestUnsettledMs: 1_000_000) }
        #expect(reached.firstIndex(of: true) == reached.count - 1)
    }

    @Test func `are led by the partition with the most purchases that has not ended`() {
        var leader = SweepLeader(partitions: 3)
        #expect(leader.partition == 0)
        leader.note(5, of: 1)
        #expect(leader.partition == 1)
        leader.noteEnd(of: 1)
        #expect(leader.partition == 0)
        leader.noteEnd(of: 0)
        leader.noteEnd(of: 2)
        #expect(leader.partition == nil)
    }
}
