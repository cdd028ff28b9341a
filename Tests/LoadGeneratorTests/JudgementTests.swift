import Foundation
import LoadVerdict
import Testing

@testable import LoadGenerator
@testable import TestKit

/// A run as its judge is told of it: what was paid, what phones were answered, what ledgers hold.
private struct Run {
    static let coins = Product(id: "coins", amount: 100)

    let orders = (0..<4).map { _ in UUID() }
    var payments: [(transaction: UInt64, PurchaseExpectation)]
    var acknowledged: [UInt64] = [1, 2, 3]
    var answers: [(transaction: UInt64, VerdictAnswer, isStranger: Bool)] = []
    var entries: [(buyer: Int32, LedgerPage.Entry)]
    /// Whether ledgers are read before the answers are held against them.
    var ledgersComeFirst = true
    var rejections: [String] = []
    /// What was restored: another id of a payment.
    var restored: [UInt64: UInt64] = [:]
    /// What the other logins of shared phones were told in the end.
    var sharings: [Audit.Meaning] = []

    /// One plain purchase of buyer 7, and two of buyer 8 with one token; everything is as it must be.
    init() {
        payments = [
            (1, .init(owner: 7, product: 0, quantity: 2, names: .byToken(orders[0]))),
            (2, .init(owner: 8, product: 0, names: .byToken(orders[1]))),
            (3, .init(owner: 8, product: 0, names: .byToken(orders[1]))),
        ]
        entries = [
            (7, Self.entry(1, orders[0], amount: 200, reference: "R-1")),
            (8, Self.entry(2, orders[1])),
            (8, Self.entry(3, orders[2])),
        ]
        for transaction in acknowledged { answers.append((transaction, Self.answer("granted"), false)) }
    }

    static func entry(
        _ transaction: UInt64,
        _ order: UUID,
        kind: String = "grant",
        amount: Int64 = 100,
        reference: String? = nil
    ) -> LedgerPage.Entry {
        var entry = LedgerPage.Entry(kind, "coins", amount)
        entry.transactionId = String(transaction)
        entry.orderId = order
        entry.reference = reference
        return entry
    }

    static func answer(_ verdict: String, finish: Bool = true) -> VerdictAnswer {
        VerdictAnswer(receiptId: "rc", verdict: verdict, finish: finish)
    }

    /// What the judge says of it.
    func report() -> LoadReport {
        // What is judged here are their numbers.
        var audit = Audit(products: [Self.coins], buyers: Array(repeating: "", count: 10))
        audit.orders.place(orders[0], PlacedOrder(buyer: 7, product: 0, reference: "R-1"))
        audit.orders.place(orders[1], PlacedOrder(buyer: 8, product: 0))
        for (transaction, expectation) in payments { audit.notePayment(transaction, expectation) }
        for (other, transaction) in restored { audit.noteRestoring(other, of: transaction) }
        for transaction in acknowledged { audit.noteAcknowledgement(transaction) }
        if ledgersComeFirst { tellLedgers(to: &audit) }
        for (transaction, answer, isStranger) in answers
        where audit.note(answer, to: transaction, isStranger: isStranger) == .granted {
            audit.compareWithLedger(transaction)
        }
        if !ledgersComeFirst { tellLedgers(to: &audit) }
        for meaning in sharings { audit.noteSharing(meaning) }
        for reason in rejections { audit.noteRejection(reason) }
        return audit.report(seconds: 1)
    }

    private func tellLedgers(to audit: inout Audit) {
        for (buyer, entry) in entries { audit.note(entry, of: buyer) }
    }
}

private typealias Fault = StagedFault<Run>

private enum Faults {
    static let all = [
        Fault("goods that were acknowledged as pending are missing", "lost") {
            $0.entries.removeFirst()
            $0.answers[0].1 = Run.answer("pending", finish: false)
        },
        Fault("granted again", "twice") { $0.entries.append((8, Run.entry(2, $0.orders[1]))) },
        Fault("granted to two", "twice", "wrongBuyer") { $0.entries.append((9, Run.entry(2, $0.orders[1]))) },
        Fault("granted to another", "wrongBuyer") { $0.entries[0].buyer = 9 },
        Fault("granted too little", "wrongAmount") {
            $0.entries[1].1 = Run.entry(2, $0.orders[1], amount: 99)
        },
        Fault("granted for another order", "wrongOrder") {
            $0.entries[0].1 = Run.entry(1, $0.orders[3], amount: 200, reference: "R-1")
        },
        Fault("granted without its reference", "wrongOrder") {
            $0.entries[0].1 = Run.entry(1, $0.orders[0], amount: 200)
        },
        Fault("neither twin for the order", "wrongOrder") { $0.entries[1].1 = Run.entry(2, $0.orders[3]) },
        Fault("both twins for one order", "wrongOrder") { $0.entries[2].1 = Run.entry(3, $0.orders[1]) },
        Fault("finished as ended", "finishTooEarly") { $0.answers[0].1 = Run.answer("ended") },
        Fault("a stranger finished as granted", "finishTooEarly") { $0.answers[0].isStranger = true },
        Fault("finished before the ledger", "finishTooEarly") {
            $0.ledgersComeFirst = false
            $0.answers.removeLast(2)
        },
        Fault("an entry of nobody", "unexplained") { $0.entries.append((7, Run.entry(99, $0.orders[3]))) },
        Fault("a reversal of nobody", "unexplained") {
            $0.entries.append((7, Run.entry(1, $0.orders[0], kind: "reversal")))
        },
        Fault("an entry that goes past its buyer", "unexplained") {
            var entry = Run.entry(1, $0.orders[0])
            (entry.from, entry.to) = ("apple:coins", "spent")
            $0.entries.append((7, entry))
        },
        Fault("parked", "parked") { $0.answers[0].1 = Run.answer("parked", finish: false) },
        Fault("never told of a conflict", "untold") { $0.sharings = [.over, .askAgain] },
        Fault("rejected", "rejected") { $0.rejections = ["404"] },
        Fault("called invalid", "rejected") { $0.answers[0].1 = Run.answer("invalid", finish: false) },
    ]
}

@Suite struct `the judge of a run` {
    @Test func `finds nothing wrong where nothing is`() {
        let report = Run().report()
        #expect(report.faults == [:])
        #expect(report.isClean)
        #expect((report.purchases, report.granted, report.checkedAtOnce) == (3, 3, 3))
    }

    @Test(arguments: Faults.all)
    private func `counts a fault once, under its own name and no other`(fault: Fault) {
        var run = Run()
        fault.happen(&run)
        let report = run.report()
        #expect(report.faults == fault.faults)
        #expect(!report.isClean)
    }

    @Test func `lets a stranger be told of a conflict, and a phone that died unheard go without`() {
        var run = Run()
        run.answers.append((1, Run.answer("conflict"), true))
        run.payments.append((4, .init(owner: 7, product: 0, names: .byToken(run.orders[3]))))
        let report = run.report()
        #expect(report.isClean)
        #expect((report.purchases, report.granted, report.unacknowledged) == (4, 3, 1))
    }

    @Test(arguments: [UInt64(1), 9])
    func `takes a restored payment for the same one, under whichever id it is granted`(id: UInt64) {
        var run = Run()
        run.restored = [9: 1]
        run.acknowledged.append(9)
        run.answers += [(9, Run.answer("granted"), false), (9, Run.answer("conflict"), true)]
        run.entries[0].1 = Run.entry(id, run.orders[0], amount: 200, reference: "R-1")
        let report = run.report()
        #expect(report.faults == [:])
        #expect((report.purchases, report.granted, report.restored) == (3, 3, 1))
    }

    @Test(arguments: [(7, "twice"), (9, "twice wrongBuyer")])
    func `counts two grants of a payment that was restored`(buyer: Int32, faults: String) {
        var run = Run()
        run.restored = [9: 1]
        run.entries.append((buyer, Run.entry(9, run.orders[0], amount: 200, reference: "R-1")))
        #expect(Set(run.report().faults.keys) == Set(faults.split(separator: " ").map(String.init)))
    }

    @Test func `counts a stranger to whom a restored payment is granted`() {
        var run = Run()
        run.restored = [9: 1]
        run.answers.append((9, Run.answer("granted"), true))
        #expect(run.report().faults == ["finishTooEarly": 1])
    }

    @Test func `lets the login that shares a phone be told of a conflict, after it has waited`() {
        var run = Run()
        run.answers += [(1, Run.answer("pending", finish: false), true), (1, Run.answer("conflict"), true)]
        run.sharings = [.over]
        let report = run.report()
        #expect(report.isClean, "\(report.faults)")
        #expect((report.granted, report.sharedPhones) == (3, 1))
    }

    @Test(arguments: [(false, "wrongBuyer finishTooEarly"), (true, "wrongBuyer twice finishTooEarly")])
    func `counts a login that got the goods by the receipt of a phone that it shares`(
        isGrantedToBoth: Bool,
        faults: String
    ) {
        var run = Run()
        run.answers.append((1, Run.answer("granted"), true))
        run.sharings = [.over]
        var stolen = run.entries[0]
        stolen.buyer = 9
        if isGrantedToBoth { run.entries.append(stolen) } else { run.entries[0] = stolen }
        #expect(Set(run.report().faults.keys) == Set(faults.split(separator: " ").map(String.init)))
    }

    @Test func `does not call a run clean in which nothing was granted`() {
        #expect(!LoadReport().isClean)
    }

    @Test func `writes what a benchmark reads`() throws {
        let report = Run().report()
        let written = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(LoadReport.self, from: written) == report)
    }
}
