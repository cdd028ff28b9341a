import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// Purchases of three buyers in one store, with what Apple, buyers and the other services may do, in random order.
private struct LedgerLife {
    enum Deed: CaseIterable { case state, deliver, move, repeatMove, spend, credit, giveBack }

    /// A purchase, as Apple and Receipts know it.
    struct Sale {
        let id: String
        let product: String
        let type: String
        /// What Apple has signed, oldest first.
        var statements: [TransactionFacts] = []
        /// Who has held it, the payer first; each further one by the transfer of its index.
        var holders = [BuyerID.ada]

        var newest: TransactionFacts { statements[statements.endIndex - 1] }
        var isRefunded: Bool { RefundedShare(newest).isFull }
    }

    static let buyers = ["ada", "bob", "eve"].map(BuyerID.init(unchecked:))
    static let steps = 40

    let harness = EntitlementsHarness()
    private var random: SeededRandom
    private var clock: Int64 = 100
    private var keys = 0
    private var spends: [(buyer: BuyerID, entry: String)] = []
    private(set) var sales = [
        Sale(id: "1", product: "pack", type: ProductType.nonConsumable),
        Sale(id: "2", product: "club", type: ProductType.autoRenewable),
        Sale(id: "3", product: "coins.100", type: ProductType.consumable),
    ]
    private(set) var done: [Deed: Int] = [:]

    init(seed: Int) {
        random = SeededRandom(seed: seed)
        harness.sell("club", [.castle], type: .autoRenewable, onOtherLogin: .transfer)
        harness.sell("pack", [.castle, .coins(50)], type: .nonConsumable, onOtherLogin: .transfer)
        if seed.isMultiple(of: 2) { harness.rule("coins", .floor) }
        for index in sales.indices { sales[index].statements = [statement(index)] }
    }

    mutating func run() throws {
        for _ in 0..<Self.steps {
            let deed = random.flip() ? random.pick([.state, .deliver, .move]) : random.pick(Deed.allCases)
            let sale = random.below(sales.count)
            done[deed, default: 0] += 1
            switch deed {
            case .state: sales[sale].statements.append(statement(sale))
            case .deliver: try deliver(sale)
            case .move: try move(sale)
            case .repeatMove: try repeatMove(sale)
            case .spend, .credit, .giveBack: try use(deed)
            }
        }
        for sale in sales {
            try report(sale.newest, of: sale, holder: 0)
            if sale.holders.count > 1 { try report(sale.newest, of: sale, holder: sale.holders.count - 1) }
        }
    }

    /// What Apple signs next: paid, or refunded in part or whole, on one of two days.
    private mutating func statement(_ sale: Int) -> TransactionFacts {
        clock += 10
        let share = random.pick([nil, nil, nil, 30_000, 60_000, 100_000, 100_000] as [Int?])
        var facts = TransactionFacts.facts(
            sales[sale].id,
            product: sales[sale].product,
            type: sales[sale].type,
            signed: clock,
            refunded: share
        )
        if share != nil { facts.revocationDate = Timestamp(milliseconds: random.pick([60, 70])) }
        if facts.isPeriod { facts.expiresDate = Timestamp(milliseconds: 1_770_000_000_000) }
        return facts
    }

    /// One of the reports in which Orders passes facts on, some of them late or again.
    private mutating func deliver(_ index: Int) throws {
        let sale = sales[index]
        let facts = random.flip() ? sale.newest : random.pick(sale.statements)
        let last = sale.holders.count - 1
        try report(facts, of: sale, holder: random.flip() ? last : random.below(last + 1))
    }

    private func report(_ facts: TransactionFacts, of sale: Sale, holder: Int) throws {
        try harness.give(facts, to: sale.holders[holder], by: holder == 0 ? nil : holder)
    }

    private mutating func move(_ index: Int) throws {
        let (sale, last) = (sales[index], sales[index].holders.count - 1)
        let buyer = random.pick(Self.buyers.filter { $0 != sale.holders[last] })
        let answer = try transfer(sale, from: last, to: buyer, isAnswered: false)
        if answer?.isTaken == true { sales[index].holders.append(buyer) }
    }

    /// A redrive repeats an answered request, a link the last one.
    private mutating func repeatMove(_ index: Int) throws {
        let sale = sales[index]
        guard sale.holders.count > 1 else { return }
        let from = random.below(sale.holders.count - 1)
        _ = try transfer(sale, from: from, to: sale.holders[from + 1], isAnswered: random.flip())
    }

    private func transfer(
        _ sale: Sale,
        from holder: Int,
        to buyer: BuyerID,
        isAnswered: Bool
    ) throws -> TransferAnsweredV1? {
        let from = sale.holders[holder]
        return try harness.take(sale.newest, from: from, to: buyer, by: holder + 1, isAnswered: isAnswered)
    }

    private mutating func use(_ deed: Deed) throws {
        keys += 1
        let (key, amount) = ("k\(keys)", random.within(1...40 as ClosedRange<Int64>))
        switch deed {
        case .spend:
            guard let spent = try harness.spend(amount, key: key).reply else { return }
            spends.append((.ada, spent.entryId))
        case .giveBack:
            guard !spends.isEmpty else { return }
            let spend = spends.remove(at: random.below(spends.count))
            #expect(try harness.reverse(spend.entry, key: key).reply != nil)
        case .credit: #expect(try harness.credit(amount, key: key).reply != nil)
        case .state, .deliver, .move, .repeatMove: break
        }
    }
}

@Suite struct `every legal sequence of statements, moves and spends` {
    /// The sum of a purchase's entries that came to an account, less those that left it.
    private func sum(
        _ life: LedgerLife,
        _ sale: LedgerLife.Sale,
        _ entitlement: String,
        _ account: String
    ) throws -> Int64 {
        try -life.harness.sum(account, entitlement, where: "purchase_id = '\(sale.id)'")
    }

    private func check(_ life: LedgerLife, _ seed: Int) throws {
        for sale in life.sales {
            let possessions = "SELECT buyer_id FROM possession WHERE purchase_id = '\(sale.id)'"
            let held = try life.harness.rows(possessions).map { try $0[0] as String }
            let isPossession = sale.type != ProductType.consumable
            let holder = isPossession && !sale.isRefunded ? sale.holders.suffix(1).map(\.rawValue) : []
            #expect(held == holder, "seed \(seed), purchase \(sale.id)")
            if isPossession, !sale.isRefunded {
                #expect(try sum(life, sale, "castle", "transit") == 0, "seed \(seed), purchase \(sale.id)")
            }
            let amount: [String: Int64] = ["1": 50, "3": 100]
            let goods = Goods(entitlement: "coins", amount: amount[sale.id] ?? 0)
            let due = goods.kept(after: RefundedShare(sale.newest))
            let had = try sum(life, sale, "coins", "buyer")
            let isFloored = seed.isMultiple(of: 2) && due < goods.amount ?? 0
            let name = "seed \(seed), purchase \(sale.id)"
            #expect(isFloored ? had >= due : had == due, "\(name): \(had), not \(due)")
        }
        #expect(try life.harness.audit().isEmpty, "seed \(seed)")
    }

    @Test func `is taken by the store, and leaves each purchase with one buyer, Apple or the way`() throws {
        var done: [LedgerLife.Deed: Int] = [:]
        var (moved, returned) = (0, 0)
        for seed in 0..<120 {
            var life = LedgerLife(seed: seed)
            try life.run()
            try check(life, seed)
            done.merge(life.done, uniquingKeysWith: +)
            for sale in life.sales {
                moved += sale.holders.count - 1
                returned += sale.holders.dropFirst().filter { $0 == .ada }.count
            }
        }
        #expect(LedgerLife.Deed.allCases.allSatisfy { done[$0, default: 0] > 250 })
        #expect(moved > 300 && returned > 50, "\(moved), \(returned)")
    }
}
