import Contracts
import Foundation
import LoadVerdict
import Testing

@testable import LoadGenerator

/// A run in which a login restores what another one has bought, as its judge is told of it.
///
/// Buyer 0 has paid for a castle and for a subscription with two periods, of which Apple has renewed the second for its
/// new holder; buyer 1 has restored both. Everything is as it must be.
private struct MovingRun {
    static let day: Int64 = 86_400_000
    static let now = HoldingsReading.sampleTime
    static let products = [
        Product(
            id: "castle",
            amount: nil,
            kind: .nonConsumable,
            amounts: ["coins": 9],
            possessions: ["castle"]
        ),
        Product(
            id: "guild",
            amount: nil,
            kind: .autoRenewable,
            amounts: ["coins": 4],
            possessions: ["guild"]
        ),
    ]
    static let order = UUID()
    static let periods = [UUID(), UUID()]

    var audit = Audit(products: products, buyers: ["ada", "eve", "bob"])
    var entries: [(buyer: Int32, LedgerPage.Entry)] = []
    var possessions: [[String: Int64?]] = [[:], ["castle": nil, "guild": Self.now + 2 * Self.day]]
    var balances: [[String: Int64]] = [["coins": 13], ["coins": 4]]
    var isAnswered = true

    init() {
        audit.orders.place(Self.order, PlacedOrder(buyer: 0, product: 0, reference: "R-1"))
        pay(1, .init(owner: 0, product: 0, names: .byToken(Self.order)))
        pay(2, .init(owner: 0, product: 1, names: .nothing))
        pay(3, .init(owner: 1, product: 1, names: .byRenewal(token: nil)))
        for payment: UInt64 in [1, 2] { audit.moves.begin(payment, from: 0, to: 1) }
        note(2, from: -1, to: Self.day)
        note(3, from: Self.day, to: 2 * Self.day)
        for (buyer, payment, name) in [(0, 1, "castle"), (0, 2, "guild"), (1, 3, "guild")] {
            enter("grant", UInt64(payment), name, of: Int32(buyer))
            enter("grant", UInt64(payment), "coins", name == "castle" ? 9 : 4, of: Int32(buyer))
        }
        for (payment, name): (UInt64, String) in [(1, "castle"), (2, "guild")] {
            enter("transferOut", payment, name, of: 0)
            enter("transferIn", payment, name, of: 1)
        }
    }

    private mutating func pay(_ payment: UInt64, _ expectation: PurchaseExpectation) {
        audit.notePayment(payment, expectation)
        audit.noteAcknowledgement(payment)
    }

    private mutating func note(_ payment: UInt64, from begins: Int64, to ends: Int64) {
        let period = Chain.Period(
            transaction: payment,
            product: 1,
            begins: Self.now + begins,
            ends: Self.now + ends
        )
        audit.apple.note(period, of: 2, buyer: 0, isRenewal: payment == 3)
    }

    mutating func enter(
        _ kind: String,
        _ payment: UInt64,
        _ entitlement: String,
        _ amount: Int64 = 1,
        of buyer: Int32,
        order: UUID? = nil
    ) {
        let orders = [1: Self.order, 2: Self.periods[0], 3: Self.periods[1]]
        var entry = LedgerPage.Entry(kind, entitlement, amount, of: audit.buyers[Int(buyer)])
        entry.transactionId = String(payment)
        entry.orderId = order ?? orders[Int(payment)]
        entry.reference = payment == 1 ? "R-1" : nil
        entries.append((buyer, entry))
    }

    mutating func remove(_ kind: String, _ payment: UInt64) {
        entries.removeAll { $0.1.kind == kind && $0.1.transactionId == String(payment) }
    }

    /// Takes both entries of a move out of the ledgers.
    mutating func removeMove(of payment: UInt64) {
        remove("transferOut", payment)
        remove("transferIn", payment)
    }

    private func reading(of buyer: Int) -> HoldingsReading {
        let ends = Self.now + 2 * Self.day
        var guild = HoldingsRun.subscription(2, "guild", .active, 2, until: ends)
        guild.expires = Timestamp(milliseconds: Self.now + Self.day)
        return HoldingsReading(
            EntitlementsV1(of: audit.buyers[buyer], balances[buyer], possessions[buyer]),
            possessions[buyer].keys.contains("guild") ? [guild] : []
        )
    }

    /// What the judge says of it.
    func report() -> LoadReport {
        var audit = audit
        if isAnswered { for payment: UInt64 in [1, 2] { audit.moves.noteAnswer(payment) } }
        for (buyer, entry) in entries { audit.note(entry, of: buyer) }
        let holdings = ExpectedHoldings(audit)
        for buyer in 0...1 { _ = audit.note(reading(of: buyer), of: Int32(buyer), holdings) }
        return audit.report(seconds: 1)
    }
}

private typealias Twist = StagedFault<MovingRun>

private enum Twists {
    static let all = [
        Twist("nothing") { _ in },
        Twist("the answer was lost, and it has moved") { $0.isAnswered = false },
        Twist("nothing came of the restore before it was answered") {
            $0.isAnswered = false
            for payment: UInt64 in [1, 2] { $0.removeMove(of: payment) }
        },
        Twist("it has left and come to nobody", "lost") { $0.remove("transferIn", 1) },
        Twist("it was said to have moved, and has not", "lost") { $0.removeMove(of: 1) },
        Twist("it has come and not left", "twice") { $0.remove("transferOut", 1) },
        Twist("it comes twice", "twice") { $0.enter("transferIn", 1, "castle", of: 1) },
        Twist("it leaves twice", "twice") { $0.enter("transferOut", 2, "guild", of: 0) },
        Twist("it comes to somebody else", "wrongBuyer") {
            $0.remove("transferIn", 1)
            $0.enter("transferIn", 1, "castle", of: 2)
        },
        Twist("it leaves somebody else", "wrongBuyer", "twice") {
            $0.enter("transferOut", 1, "castle", of: 2)
        },
        Twist("amounts move", "unexplained", "wrongBalances") {
            $0.enter("transferIn", 1, "coins", 9, of: 1)
        },
        Twist("what nobody restored moves", "unexplained") { $0.enter("transferIn", 3, "guild", of: 2) },
        Twist("it moves for another order", "wrongOrder") {
            $0.remove("transferIn", 1)
            $0.enter("transferIn", 1, "castle", of: 1, order: UUID())
        },
        Twist("both have access", "wrongAccess") { $0.possessions[0] = ["castle": nil] },
        Twist("both have the subscription", "wrongAccess") {
            $0.possessions[0] = ["guild": MovingRun.now + 2 * MovingRun.day]
        },
        Twist("neither has access", "wrongAccess") { $0.possessions[1]["castle"] = nil },
        Twist("the old holder still has it all", "wrongAccess", "wrongAccess") {
            $0.possessions.swapAt(0, 1)
        },
    ]
}

@Suite struct `the judge of what moves to another login` {
    @Test(arguments: Twists.all)
    private func `counts what is wrong under its own name and no other`(twist: Twist) {
        var run = MovingRun()
        twist.happen(&run)
        #expect(run.report().faults == twist.faults)
    }

    @Test func `counts what has moved, and says whose access it cannot judge`() {
        #expect(MovingRun().report().transfers == 2)
        var run = MovingRun()
        run.isAnswered = false
        #expect(run.report().undecided == 0)
        for payment: UInt64 in [1, 2] { run.removeMove(of: payment) }
        #expect((run.report().transfers, run.report().undecided) == (0, 2))
    }

    @Test func `counts an answer that says granted before the new holder's ledger does`() {
        var audit = MovingRun().audit
        audit.compareWithLedger(1, isMove: true)
        #expect(audit.report(seconds: 1).finishTooEarly == 1)
    }
}
