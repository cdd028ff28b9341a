import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

@Suite struct `a grant` {
    private static let buyer = BuyerID.ada
    private static let grants: [Catalog.Grant] = [.coins(100), .castle]

    /// A demand that facts and an offer may make; `after` says whether it is signed after what is known.
    enum Statement: String, CaseIterable {
        case owed, partlyRefunded, withheld, refunded

        func facts(signed: Int64) -> TransactionFacts {
            switch self {
            case .owed, .withheld: .facts(signed: signed)
            case .partlyRefunded: .facts(signed: signed, refunded: 30_000)
            case .refunded: .facts(signed: signed, refunded: 100_000)
            }
        }

        var offer: Catalog.Lookup {
            self == .withheld ? .unknown : .active(type: .consumable, grants: `a grant`.grants)
        }
    }

    /// Every state, reached by the statements that lead there.
    enum Origin: String, CaseIterable {
        case unseen, parked, tombstone, granted, partlyReversed, reversed, void

        var history: [Statement] {
            switch self {
            case .unseen: []
            case .parked: [.withheld]
            case .tombstone: [.refunded]
            case .granted, .void: [.owed]
            case .partlyReversed: [.owed, .partlyRefunded]
            case .reversed: [.owed, .refunded]
            }
        }

        func grant() throws -> Grant {
            var grant = Grant(buyerId: buyer)
            for (index, statement) in history.enumerated() {
                _ = try grant.apply(
                    statement.facts(signed: 100 + Int64(index)),
                    for: buyer,
                    offer: statement.offer
                )
            }
            if self == .void { _ = grant.forfeit(.facts(), to: .eve, by: 1, because: .reassign) }
            return grant
        }
    }

    private static func coins(_ kind: LedgerEntry.Kind, _ amount: Int64) -> Grant.Line {
        Grant.Line(kind: kind, entitlement: "coins", amount: amount, undoes: kind.undone)
    }

    private static func castle(_ kind: LedgerEntry.Kind, _ amount: Int64) -> Grant.Line {
        Grant.Line(kind: kind, entitlement: "castle", amount: amount, isPossession: true, undoes: kind.undone)
    }

    /// The table of the doc comment: state and lines after a newer statement.
    private static func expected(_ origin: Origin, _ statement: Statement) -> (Grant.State, [Grant.Line]) {
        let grant = [coins(.grant, 100), castle(.grant, 1)]
        let part = [coins(.reversal, 30)]
        let reversal = [coins(.reversal, 100), castle(.reversal, 1)]
        let rest = [coins(.reversal, 70), castle(.reversal, 1)]
        let all = [coins(.reinstatement, 100), castle(.reinstatement, 1)]
        let most = [coins(.reinstatement, 70), castle(.reinstatement, 1)]
        switch (origin, statement) {
        case (.unseen, .owed), (.parked, .owed), (.tombstone, .owed): return (.granted, grant)
        case (.unseen, .partlyRefunded), (.parked, .partlyRefunded), (.tombstone, .partlyRefunded):
            return (.granted, grant + part)
        case (.unseen, .withheld), (.parked, .withheld), (.tombstone, .withheld):
            return (.parked(.unknownProduct), [])
        case (.unseen, .refunded), (.parked, .refunded), (.tombstone, .refunded): return (.tombstone, [])
        case (.granted, .owed), (.granted, .withheld): return (.granted, [])
        case (.granted, .partlyRefunded): return (.granted, part)
        case (.granted, .refunded): return (.reversed, reversal)
        case (.partlyReversed, .owed), (.partlyReversed, .withheld):
            return (.granted, [coins(.reinstatement, 30)])
        case (.partlyReversed, .partlyRefunded): return (.granted, [])
        case (.partlyReversed, .refunded): return (.reversed, rest)
        case (.reversed, .owed), (.reversed, .withheld): return (.granted, all)
        case (.reversed, .partlyRefunded): return (.granted, most)
        case (.reversed, .refunded): return (.reversed, [])
        case (.void, .owed), (.void, .partlyRefunded), (.void, .withheld), (.void, .refunded):
            return (.void, [])
        }
    }

    @Test(arguments: Origin.allCases, Statement.allCases)
    func `moves as its table says`(from: Origin, statement: Statement) throws {
        var grant = try from.grant()
        let lines = try grant.apply(statement.facts(signed: 200), for: Self.buyer, offer: statement.offer)
        let (state, expected) = Self.expected(from, statement)
        #expect(grant.state == state)
        #expect(lines == expected)
    }

    @Test(arguments: Origin.allCases, Statement.allCases)
    func `hears a statement twice as if it were once`(from: Origin, statement: Statement) throws {
        var grant = try from.grant()
        let facts = statement.facts(signed: 200)
        _ = try grant.apply(facts, for: Self.buyer, offer: statement.offer)
        let once = grant
        #expect(try grant.apply(facts, for: Self.buyer, offer: statement.offer) == [])
        #expect(grant == once)
    }

    @Test(arguments: Origin.allCases, Statement.allCases)
    func `refuses another buyer without a trace`(from: Origin, statement: Statement) throws {
        var grant = try from.grant()
        let before = grant
        #expect(throws: Grant.Refusal.heldByAnotherBuyer) {
            try grant.apply(statement.facts(signed: 200), for: .eve, offer: statement.offer)
        }
        #expect(grant == before)
    }

    @Test(arguments: Origin.allCases.filter { $0 != .unseen && $0 != .parked }, Statement.allCases)
    func `is not moved by an older signature`(from: Origin, statement: Statement) throws {
        var grant = try from.grant()
        let before = grant
        #expect(try grant.apply(statement.facts(signed: 99), for: Self.buyer, offer: statement.offer) == [])
        #expect(grant == before)
    }

    @Test(arguments: Origin.allCases)
    func `ends the same whatever order its statements come in`(from: Origin) throws {
        let history = from.history.enumerated().map { ($1, $1.facts(signed: 100 + Int64($0))) }
        let ends = try [history, history.reversed()].map { history in
            var grant = Grant(buyerId: Self.buyer)
            let lines = try history.flatMap { statement, facts in
                try grant.apply(facts, for: Self.buyer, offer: statement.offer)
            }
            let amounts = lines.map { ($0.entitlement, $0.kind.isForBuyer ? $0.amount : -$0.amount) }
            let sums = Dictionary(amounts, uniquingKeysWith: +).filter { $0.value != 0 }
            return (sums: sums, facts: grant.facts)
        }
        #expect(ends[0] == ends[1])
    }

    @Test func `signed in the same millisecond believes the refund`() throws {
        let paid = TransactionFacts.facts(signed: 100)
        let refund = TransactionFacts.facts(signed: 100, refunded: 100_000)
        for order in [[paid, refund], [refund, paid]] {
            var grant = Grant(buyerId: Self.buyer)
            for facts in order { _ = try grant.apply(facts, for: Self.buyer, offer: Statement.owed.offer) }
            #expect([.reversed, .tombstone].contains(grant.state))
        }
    }

    @Test(arguments: [(0, 0), (1, 1), (33_333, 34), (50_000, 50), (99_999, 100), (100_000, 100)])
    func `rounds what goes back up to whole units`(share: Int64, back: Int64) {
        let refunded = RefundedShare(milliunits: share)
        #expect(Goods(entitlement: "coins", amount: 100).kept(after: refunded) == 100 - back)
        #expect(Goods(entitlement: "coins", amount: .max).kept(after: refunded) <= .max - Int64(back))
        #expect(Goods(entitlement: "castle").kept(after: refunded) == (share == 100_000 ? 0 : 1))
    }

    @Test func `keeps the days that the catalog said when it was granted`() throws {
        func offer(_ days: Int) -> Catalog.Lookup {
            .active(type: .nonConsumable, grants: [.init(entitlement: "castle", durationDays: days)])
        }
        var grant = Grant(buyerId: Self.buyer)
        let pass = TransactionFacts.facts(type: "Non-Consumable")
        _ = try grant.apply(pass, for: Self.buyer, offer: offer(30))
        _ = try grant.apply(pass, for: Self.buyer, offer: offer(60))
        #expect(grant.goods == [Goods(entitlement: "castle", durationDays: 30)])
    }

    @Test func `is parked when a ledger cannot count it`() {
        func obligation(_ quantity: Int) -> Obligation {
            Obligation(.facts(quantity: quantity), offer: .active(type: .consumable, grants: [.coins(.max)]))
        }
        #expect(obligation(2) == .withheld(.unsupportedQuantity))
        #expect(obligation(0) == .withheld(.unsupportedQuantity))
        #expect(obligation(1) == .owed([Goods(entitlement: "coins", amount: .max)]))
    }
}
