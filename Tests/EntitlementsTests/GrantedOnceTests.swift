import Contracts
import TestKit
import Testing

@testable import Entitlements

/// Purchases with entries and grants at random, some of them right.
@Suite struct `an audit of grants` {
    private static let buyers = ["ada", "bob", "eve"].map(BuyerID.init(unchecked:))

    private var granted: [LedgerAudit.Granted] = []
    private var given: [LedgerAudit.GrantKey: Int] = [:]
    private var entries = 0

    private static func purchase(_ id: String, by buyer: BuyerID) -> PurchasesAuditPage.Purchase {
        PurchasesAuditPage.Purchase(
            PurchaseID(unchecked: id),
            .production,
            of: .game,
            by: buyer,
            for: OrderTerms.studio.orderId,
            .granted
        )
    }

    /// Adds a purchase whose goods up to two entries gave to anybody.
    private mutating func add(_ id: String, _ random: inout SeededRandom) {
        let owners = (0..<random.below(3)).map { _ in random.pick(Self.buyers) }.sorted()
        for buyer in Self.buyers where random.happens(perMille: 400) {
            let own = owners.count { $0 == buyer }
            let grant = LedgerAudit.Granted(
                purchase: Self.purchase(id, by: buyer),
                goods: random.flip() ? own : random.below(3),
                wasPayers: random.happens(perMille: 800),
                isForfeited: random.happens(perMille: 300),
                entries: own
            )
            granted.append(grant)
        }
        entries += owners.count
        for owner in owners {
            let purchase = LedgerAudit.PurchaseKey(Self.purchase(id, by: owner))
            given[LedgerAudit.GrantKey(purchase: purchase, buyerId: owner), default: 0] += 1
        }
    }

    @Test func `has no difference where the numbers show that all of it holds`() {
        var (random, held) = (SeededRandom(seed: 1), 0)
        for _ in 0..<20_000 {
            var page = Self()
            page.add("1", &random)
            page.add("2", &random)
            guard LedgerAudit.holds(page.granted, entries: page.entries) else { continue }
            held += 1
            #expect(LedgerAudit.differences(page.granted, given: page.given).isEmpty, "\(page)")
        }
        #expect(held > 1_000)
    }

    /// The differences of a purchase that both Ada and Eve were granted as its payers.
    private func laws(isForfeited: Bool) -> [LedgerAuditPage.Difference.Law] {
        let grants = [BuyerID.ada, .eve].map { buyer in
            LedgerAudit.Granted(
                purchase: Self.purchase("1", by: buyer),
                goods: 1,
                isForfeited: isForfeited && buyer == .ada,
                entries: 1
            )
        }
        let keys = grants.map { grant in
            LedgerAudit.GrantKey(
                purchase: LedgerAudit.PurchaseKey(grant.purchase),
                buyerId: grant.purchase.buyerId
            )
        }
        let laws = LedgerAudit.differences(
            grants,
            given: Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
        )
        .map(\.law)
        #expect(LedgerAudit.holds(grants, entries: 2) == laws.isEmpty)
        return laws
    }

    @Test func `lets a purchase have one payer, and others whose it has turned out not to be`() {
        #expect(laws(isForfeited: true).isEmpty)
        #expect(laws(isForfeited: false) == [.entryHasPurchase, .entryHasPurchase])
    }
}
