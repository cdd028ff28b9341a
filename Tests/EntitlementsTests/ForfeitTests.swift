import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

@Suite struct `a purchase that turns out to be another buyer's` {
    private let ledger = ForfeitHarness()
    private var harness: EntitlementsHarness { ledger.harness }

    @Test func `goes back to Apple, and is granted to that buyer, without anything on its way`() throws {
        try harness.grant(ForfeitHarness.hall)
        let taken = try ledger.take()
        let answer = try #require(taken.answer)
        #expect(answer.isTaken && answer.toBuyerId == .eve && answer.transfer == 1)
        #expect(answer.cause == .evidence)
        #expect(taken.lines == ["reversal 1 castle buyer:ada apple:hall"])
        #expect(taken.changes.map(\.verdict) == [.conflict] && taken.changes.map(\.reason) == ["reassigned"])
        #expect(taken.changes.map(\.transfers) == [1] && taken.changes.first?.submission == .submission())
        #expect(taken.recorded.isEmpty, "Orders hears of it from Receipts")
        #expect(taken.holdings.map(\.reason) == [.reassigned] && taken.holdings.map(\.held) == [false])
        let entry = try #require(taken.changes.first?.entries.first)
        #expect(try entry.undoes == harness.entries().first?.entryId)

        let given = try ledger.give()
        #expect(given.lines == ["grant 1 castle apple:hall buyer:eve"])
        #expect(given.changes.map(\.verdict) == [.granted] && given.recorded.map(\.outcome) == [.granted])
        let moved = try ledger.give(by: 1)
        #expect(moved.lines.isEmpty && moved.changes.map(\.verdict) == [.granted])
        #expect(moved.changes.map(\.transfers) == [1])
        #expect(try ledger.holdings() == ["0", "castle 0"])
        #expect(try harness.sum("apple:hall", "castle") == 1 && ledger.isSound())
    }

    @Test func `stays with its holder if it gave amounts, unless an operator decides`() throws {
        let kept = try #require(ledger.take(ForfeitHarness.pack).answer)
        #expect(!kept.isTaken && kept.cause == .evidence, "its grant would")
        try harness.grant(ForfeitHarness.pack)
        let contents = try harness.contents()
        #expect(try ledger.take(ForfeitHarness.pack).answer?.isTaken == false)
        #expect(try harness.contents() == contents)
        var refund = ForfeitHarness.pack
        (refund.signedDate, refund.revocationDate) = (harness.now, harness.now)
        try harness.grant(refund)
        #expect(try ledger.take(ForfeitHarness.pack).answer?.isTaken == false)
        let decided = try #require(ledger.take(ForfeitHarness.pack, because: .reassign).answer)
        #expect(decided.isTaken && decided.cause == .reassign)
    }

    @Test func `by an operator moves its amounts, and makes up for those that are spent`() throws {
        harness.rule("coins", .floor)
        try harness.grant(ForfeitHarness.pack)
        _ = try harness.spend(20)
        let taken = try ledger.take(ForfeitHarness.pack, because: .reassign)
        #expect(
            taken.lines == [
                "reversal 1 castle buyer:ada apple:pack", "compensation 20 coins compensation buyer:ada",
                "reversal 50 coins buyer:ada apple:pack",
            ]
        )
        #expect(taken.changes.allSatisfy { $0.verdict == .conflict && $0.reason == "reassigned" })
        #expect(try ledger.holdings() == ["0", "0"])
        #expect(try harness.sum("apple:pack", "coins") == 0 && ledger.isSound())
        try ledger.give(ForfeitHarness.pack)
        try ledger.give(ForfeitHarness.pack, by: 1)
        #expect(try ledger.holdings() == ["0", "castle 50"])
        #expect(try harness.sum("apple:pack", "coins") == 50, "what one buyer got once")
        #expect(try harness.sum("compensation", "coins") == 20 && ledger.isSound())

        try ledger.move(ForfeitHarness.pack, from: .eve, to: .ada, by: 2, because: .reassign)
        #expect(try ledger.holdings() == ["castle 30", "0"], "as if it had never been away")
        #expect(try harness.sum("compensation", "coins") == 0 && ledger.isSound())
    }

    @Test func `below zero where the balance has no floor`() throws {
        try harness.grant(ForfeitHarness.pack)
        _ = try harness.spend(20)
        try ledger.move(ForfeitHarness.pack, because: .reassign)
        #expect(try ledger.holdings() == ["-20", "castle 50"])
        #expect(try harness.sum("compensation", "coins") == 0 && ledger.isSound())
    }

    @Test func `gives the former holder nothing by a report that is late`() throws {
        try harness.grant(ForfeitHarness.hall)
        try ledger.move()
        for (signed, refunded) in [(100, nil), (200, nil), (300, 100_000), (400, nil)] as [(Int64, Int?)] {
            let facts = TransactionFacts.facts(
                product: "hall",
                type: ProductType.nonConsumable,
                signed: signed,
                refunded: refunded
            )
            let late = try ledger.give(facts, to: .ada, paying: 0)
            #expect(late.lines.isEmpty && late.changes.map(\.verdict) == [.conflict])
            #expect(late.recorded.isEmpty && late.holdings.isEmpty)
        }
        #expect(try ledger.holdings() == ["0", "castle 0"] && ledger.isSound())
    }

    @Test func `goes before its grant has come, which then gives nothing`() throws {
        let taken = try ledger.take()
        #expect(taken.answer?.isTaken == true && taken.changes.isEmpty && taken.recorded.isEmpty)
        let late = try harness.grant(ForfeitHarness.hall)
        #expect(late.lines.isEmpty && late.change?.verdict == .conflict && late.recorded == nil)
        try ledger.give()
        try ledger.give(by: 1)
        #expect(try ledger.holdings() == ["0", "castle 0"] && ledger.isSound())
        #expect(try harness.entries().isEmpty)
    }

    @Test func `goes where it is parked, and waits for nobody there any more`() throws {
        let unknown = TransactionFacts.facts(product: "never.heard", type: ProductType.nonConsumable)
        try harness.grant(unknown)
        #expect(try harness.gauge("grants_parked") == 1)
        #expect(try ledger.take(unknown).answer?.isTaken == true)
        #expect(try harness.gauge("grants_parked") == 0)
        harness.sell("never.heard", [.castle], type: .nonConsumable)
        #expect(try harness.retry().reply?.items.isEmpty == true)
        #expect(try ledger.holdings() == ["0", "0"] && ledger.isSound())
    }

    @Test func `is answered the same again, with no further effect`() throws {
        try harness.grant(ForfeitHarness.hall)
        let first = try ledger.take()
        try ledger.give()
        try ledger.give(by: 1)
        let contents = try harness.contents()
        let again = try ledger.take()
        #expect(again.answer == first.answer && again.changes.isEmpty)
        let other = try ledger.take(to: BuyerID(unchecked: "mallory"), because: .restore).answer
        #expect(other?.toBuyerId == .eve && other?.cause == .evidence && other?.isTaken == true)
        #expect(try ledger.take(isAnswered: true).answer == nil)
        #expect(try harness.contents() == contents)
    }

    @Test func `is the first one's again by a later transfer, and so on`() throws {
        try harness.grant(ForfeitHarness.pack)
        for transfer in 1...6 {
            let (holder, buyer): (BuyerID, BuyerID) = transfer.isMultiple(of: 2) ? (.eve, .ada) : (.ada, .eve)
            let given = try ledger.move(
                ForfeitHarness.pack,
                from: holder,
                to: buyer,
                by: transfer,
                because: .reassign
            )
            let (kind, by) = (transfer == 1 ? "grant" : "reinstatement", transfer == 1 ? 0 : 1)
            #expect(given[1 - by].lines.isEmpty, "one of the two reports gives all")
            #expect(
                given[by].lines == [
                    "\(kind) 1 castle apple:pack buyer:\(buyer.rawValue)",
                    "\(kind) 50 coins apple:pack buyer:\(buyer.rawValue)",
                ]
            )
            #expect(given[1].changes.map(\.verdict) == [.granted])
            #expect(try ledger.holdings() == (buyer == .ada ? ["castle 50", "0"] : ["0", "castle 50"]))
            #expect(try ledger.isSound())
        }
    }

    @Test func `comes back to the first one's login by a restore, with the possessions alone`() throws {
        try harness.grant(ForfeitHarness.pack)
        try ledger.move(ForfeitHarness.pack, because: .reassign)
        let taken = try ledger.take(ForfeitHarness.pack, from: .eve, to: .ada, by: 2, because: .restore)
        #expect(taken.lines == ["transferOut 1 castle buyer:eve transit"])
        #expect(taken.answer?.cause == .restore)
        let given = try ledger.give(ForfeitHarness.pack, to: .ada, by: 2, paying: 1)
        #expect(given.lines == ["transferIn 1 castle transit buyer:ada"])
        #expect(try ledger.holdings() == ["castle 0", "50"] && ledger.isSound())
    }

    @Test func `is told to Receipts again with its cause, and never to Orders`() throws {
        try harness.grant(ForfeitHarness.pack)
        let first = try #require(ledger.take(ForfeitHarness.pack, because: .reassign).answer)
        let owner = try #require(first.route.owner(of: harness.partitions))
        try harness.redrive(to: owner)
        #expect(try harness.sent.bodies(TransferAnsweredV1.self) == [first])
        let orders = OrderTerms.studio.orderId.shard.partition(of: harness.partitions)
        try harness.redrive(to: PartitionAddress(.orders, orders))
        #expect(try harness.sent.bodies(GrantRecordedV1.self).isEmpty)
    }

    @Test func `is told to the buyer's server again as it was told first`() throws {
        try harness.grant(ForfeitHarness.pack, submitted: false)
        var told = try harness.events(EntitlementChangedV1.self)
        try ledger.take(ForfeitHarness.pack, because: .reassign)
        told += try harness.events(EntitlementChangedV1.self)
        let again = try harness.changesAgain()
        #expect(told.count == 2 && again.map(\.id) == told.map(\.id))
        for (first, second) in zip(told, again) { #expect(first.data == second.data) }
    }

    /// The messages of Receipts and Orders after a restore, of which Ada's grant is one that was on its way.
    private enum Step { case take, late, give, move }

    private func run(_ step: Step, _ ledger: ForfeitHarness) throws {
        switch step {
        case .take: try ledger.take(isAnswered: true)
        case .late: try ledger.give(to: .ada, paying: 0)
        case .give: try ledger.give()
        case .move: try ledger.give(by: 1)
        }
    }

    @Test func `is taken back again in a store that is restored empty, whatever comes first`() throws {
        let orders: [[Step]] = [
            [.take, .late, .give, .move], [.late, .take, .give, .move], [.take, .give, .late, .move],
            [.take, .give, .move, .late], [.give, .take, .late, .move], [.give, .move, .take, .late],
        ]
        for order in orders {
            for isRestored in [false, true] {
                let ledger = ForfeitHarness()
                if isRestored { try ledger.harness.restore() }
                for step in order { try run(step, ledger) }
                #expect(try ledger.holdings() == ["0", "castle 0"] && ledger.isSound(), "\(order)")
            }
        }
    }

    @Test func `is taken back again in an older copy, in which it is the former holder's`() throws {
        let orders: [[Step]] = [
            [.take, .give, .move], [.give, .take, .move], [.give, .move, .take],
            [.give, .late, .move, .take],
        ]
        for order in orders {
            let ledger = ForfeitHarness()
            try ledger.harness.grant(ForfeitHarness.hall)
            try ledger.harness.restore()
            for step in order { try run(step, ledger) }
            #expect(try ledger.holdings() == ["0", "castle 0"] && ledger.isSound(), "\(order)")
        }
    }

    @Test func `is no purchase of the former holder in an audit`() throws {
        try harness.grant(ForfeitHarness.hall)
        try ledger.move()
        let question = PurchasesAuditV1(only: [ForfeitHarness.hall.purchaseId])
        let page = try #require(harness.handle(question, OnPurchasesAudit().callAsFunction).reply)
        #expect(page.differences.isEmpty && page.purchases?.map(\.buyerId) == [.eve])
        #expect(page.purchases?.map(\.outcome) == [.granted])
    }

    @Test func `gives no access by its period, and the period before it ends where it began`() throws {
        harness.now = .day(40)
        let (first, second) = (`a subscription`.period("1", 1, 31), `a subscription`.period("2", 31, 61))
        try harness.grant(first)
        try harness.grant(second)
        #expect(try ledger.holdings() == ["castle 0", "0"])
        let taken = try ledger.take(second)
        #expect(taken.holdings.map(\.reason) == [.reassigned])
        #expect(try ledger.holdings() == ["0", "0"])
        try ledger.give(second)
        try ledger.give(second, by: 1)
        #expect(try ledger.holdings() == ["0", "castle 0"])
        harness.now = .day(20)
        #expect(try ledger.holdings() == ["castle 0", "0"] && ledger.isSound())
        try ledger.move(second, from: .eve, to: .ada, by: 2)
        harness.now = .day(40)
        #expect(try ledger.holdings() == ["castle 0", "0"] && ledger.isSound())
    }
}
