import Contracts
import TestKit
import Testing

@testable import Entitlements

/// Purchases with entries and grants at random, some of them right.
@Suite struct `an audit of grants` {
    private static let buyers = ["ada", "bob", "eve"].map(BuyerID.init(unchecked:))

    private var granted: [LedgerAudit.Granted] = []
    private var given: [LedgerAudit.PurchaseKey: LedgerAudit.Given] = [:]
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
                isPayers: random.happens(perMille: 800),
                entries: own - (owners.count - own)
            )
            granted.append(grant)
        }
        entries += owners.count
        guard let first = owners.first, let last = owners.last else { return }
        let key = LedgerAudit.PurchaseKey(Self.purchase(id, by: first))
        given[key] = LedgerAudit.Given(count: owners.count, first: first, last: last)
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
}
