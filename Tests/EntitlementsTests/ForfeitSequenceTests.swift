import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// A purchase of 50 coins and a castle, whose payer turns out to be somebody else again and again.
///
/// Each buyer hears the reports of Orders in their order; Receipts may overtake them.
private struct ForfeitLife {
    static let buyers = ["ada", "bob", "eve"].map(BuyerID.init(unchecked:))
    static let steps = 30

    let ledger = ForfeitHarness()
    private var random: SeededRandom
    private var clock: Int64 = 100
    private var keys = 0
    /// Who has held it; each but the first by the transfer of its index.
    private(set) var holders = [BuyerID.ada]
    /// What Apple has signed, oldest first.
    private var statements = [ForfeitHarness.pack]
    private var reports: [BuyerID: [PurchaseReportedV1]] = [:]
    /// How often a report was overtaken.
    private(set) var overtaken = 0

    let isFloored: Bool
    var newest: TransactionFacts { statements[statements.endIndex - 1] }

    init(seed: Int) {
        random = SeededRandom(seed: seed)
        isFloored = seed.isMultiple(of: 2)
        if isFloored { ledger.harness.rule("coins", .floor) }
        ask(ForfeitHarness.pack)
    }

    mutating func run() throws {
        for _ in 0..<Self.steps {
            let buyer = random.pick(Self.buyers)
            switch random.below(5) {
            case 0: try move()
            case 1: state()
            case 2: try spend()
            default: try deliver(to: buyer)
            }
        }
        ask(newest)
        for buyer in Self.buyers { while reports[buyer]?.isEmpty == false { try deliver(to: buyer) } }
    }

    /// Orders passes facts on to the present holder.
    private mutating func ask(_ facts: TransactionFacts) {
        let (last, holder) = (holders.count - 1, holders[holders.count - 1])
        let all: [Int?] = last == 0 ? [nil] : [nil, last]
        for transfers in all {
            let report = PurchaseReportedV1(
                buyerId: holder,
                order: ForfeitHarness.order(last),
                transaction: facts,
                submission: nil,
                transfers: transfers
            )
            reports[holder, default: []].append(report)
        }
    }

    private mutating func deliver(to buyer: BuyerID) throws {
        guard let report = reports[buyer]?.first else { return }
        reports[buyer]?.removeFirst()
        let handler = OnPurchaseReported(catalog: ledger.harness.catalog)
        let outcome = try ledger.harness.handle(report, handler.callAsFunction)
        #expect(outcome == .applied)
    }

    private mutating func move() throws {
        let (transfer, holder) = (holders.count, holders[holders.count - 1])
        let buyer = random.pick(Self.buyers.filter { $0 != holder })
        if reports[holder]?.isEmpty == false { overtaken += 1 }
        let facts = random.flip() ? newest : random.pick(statements)
        let taken = try ledger.take(facts, from: holder, to: buyer, by: transfer, because: .reassign)
        #expect(taken.answer?.isTaken == true)
        holders.append(buyer)
        ask(newest)
    }

    /// What Apple signs next; what a refund cannot take down to a floor would stay with who has spent it.
    private mutating func state() {
        clock += 10
        let share = isFloored ? nil : random.pick([nil, nil, 30_000, 60_000, 100_000] as [Int?])
        statements.append(
            .facts(product: "pack", type: ProductType.nonConsumable, signed: clock, refunded: share)
        )
        ask(newest)
    }

    private mutating func spend() throws {
        keys += 1
        let amount = random.within(1...40 as ClosedRange<Int64>)
        _ = try ledger.harness.spend(amount, key: "k\(keys)")
    }
}

@Suite struct `every sequence of transfers by which a purchase turns out to be another buyer's` {
    private func sum(
        _ life: ForfeitLife,
        _ entitlement: String,
        _ account: String,
        of buyer: BuyerID
    ) throws -> Int64 {
        let condition = "purchase_id IS NOT NULL AND buyer_id = '\(buyer.rawValue)'"
        return try life.ledger.harness.sum(account, entitlement, where: condition)
    }

    @Test func `leaves all of it with its last payer, and with nobody else`() throws {
        var (moved, returned, overtaken) = (0, 0, 0)
        for seed in 0..<120 {
            var life = ForfeitLife(seed: seed)
            try life.run()
            let (holder, share) = (life.holders[life.holders.count - 1], RefundedShare(life.newest))
            for buyer in ForfeitLife.buyers {
                let (name, has) = (Comment(rawValue: "seed \(seed), \(buyer)"), buyer == holder)
                let coins = has ? Goods(entitlement: "coins", amount: 50).kept(after: share) : 0
                #expect(try sum(life, "coins", "apple:pack", of: buyer) == coins, name)
                let castle: Int64 = has && !share.isFull ? 1 : 0
                #expect(try sum(life, "castle", "apple:pack", of: buyer) == castle, name)
                #expect(try sum(life, "castle", "transit", of: buyer) == 0, name)
                let made = try sum(life, "coins", "compensation", of: buyer)
                #expect(has || !life.isFloored ? made == 0 : made >= 0, name)
            }
            #expect(try life.ledger.isSound(), "seed \(seed)")
            moved += life.holders.count - 1
            returned += life.holders.dropFirst().filter { $0 == .ada }.count
            overtaken += life.overtaken
        }
        #expect(moved > 500 && returned > 150 && overtaken > 150, "\(moved), \(returned), \(overtaken)")
    }
}
