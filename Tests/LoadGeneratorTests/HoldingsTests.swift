import Contracts
import LoadVerdict
import Testing

@testable import LoadGenerator

private typealias Twist = StagedFault<HoldingsRun>

private enum Twists {
    static let wallet = [
        Twist("a spend is lost", "lost", "wrongBalances") {
            $0.remove { $0.entryId == "entry-spent" }
            $0.balances["coins"] = 292
        },
        Twist("a spend counts twice", "twice", "wrongBalances") {
            $0.enter("spend", nil, "coins", 30, key: "spent")
            $0.balances["coins"] = 232
        },
        Twist("a spend is acknowledged as two", "twice") {
            $0.audit.wallet.noteEntry("entry-other", of: "spent")
        },
        Twist("a spend of another amount", "lost", "unexplained", "wrongBalances") {
            $0.remove { $0.entryId == "entry-spent" }
            $0.enter("spend", nil, "coins", 29, entry: "entry-spent", key: "spent")
            $0.balances["coins"] = 263
        },
        Twist("a refused spend takes effect", "unexplained", "wrongBalances") {
            $0.audit.wallet.noteRefusal(of: "unknown", isCertain: true)
            $0.enter("spend", nil, "coins", 10, key: "unknown")
            $0.balances["coins"] = 252
        },
        Twist("an unknown spend counts twice", "twice", "wrongBalances") {
            $0.enter("spend", nil, "coins", 10, key: "unknown")
            $0.enter("spend", nil, "coins", 10, key: "unknown")
            $0.balances["coins"] = 242
        },
        Twist("a spend is given back twice", "twice", "wrongBalances") {
            $0.enter("spendReversal", nil, "coins", 5, undoes: "entry-given")
            $0.balances["coins"] = 267
        },
        Twist("a credit is lost", "lost", "wrongBalances") {
            $0.remove { $0.kind == "credit" }
            $0.balances["coins"] = 255
        },
        Twist("more is spent than there is", "wrongBalances") {
            $0.entries.insert($0.entries.remove(at: $0.entries.firstIndex { $0.kind == "spend" } ?? 0), at: 0)
        },
        Twist("a balance is off by one", "wrongBalances") { $0.balances["coins"] = 263 },
        Twist("a balance is missing", "wrongBalances") { $0.balances["gems"] = nil },
        Twist("a balance of nothing", "wrongBalances") { $0.balances["rubies"] = 1 },
    ]

    static let refunds = [
        Twist("a refund takes nothing", "wrongBalances") {
            $0.remove { $0.kind == "reversal" && $0.entitlement == "coins" }
            $0.balances["coins"] = 287
        },
        Twist("a refund takes twice", "wrongBalances") {
            $0.enter("reversal", 3, "coins", 25)
            $0.balances["coins"] = 237
        },
        Twist("a refund takes more than its part where a floor is", "wrongBalances") {
            $0.enter("reversal", 3, "gems", 1)
            $0.balances["gems"] = 26
        },
        Twist("a reversed refund gives nothing back", "wrongBalances") {
            $0.refund(3, share: 0, signed: $0.now - 100)
        },
        Twist("what nobody refunded is taken", "unexplained", "wrongBalances") {
            $0.enter("reversal", 1, "coins", 1)
            $0.balances["coins"] = 261
        },
        Twist("a floor is broken", "wrongBalances") {
            let gems = $0.entries.firstIndex { $0.kind == "reversal" && $0.entitlement == "gems" } ?? 0
            $0.entries.insert($0.entries.remove(at: gems), at: 0)
        },
        Twist("some of the goods are missing", "wrongAmount", "wrongBalances") {
            $0.remove { $0.transactionId == "1" && $0.entitlement == "gems" }
            $0.balances["gems"] = 7
        },
    ]

    static let access = [
        Twist("access is missing", "wrongAccess") { $0.possessions["vip"] = nil },
        Twist("what was bought for ever is missing", "wrongAccess") { $0.possessions["pro"] = nil },
        Twist("access without a fact", "wrongAccess") { $0.possessions["gold"] = .some(nil) },
        Twist("access lasts to the latest expiry", "wrongAccess") {
            $0.possessions["vip"] = $0.now + 10 * HoldingsRun.day
        },
        Twist("a subscription is missing", "wrongAccess") { $0.subscriptions.removeLast() },
        Twist("a subscription comes twice", "wrongAccess") { $0.subscriptions.append($0.subscriptions[1]) },
        Twist("an ended subscription is active", "wrongAccess") { $0.subscriptions[1].state = .active },
        Twist("the older period is told", "wrongAccess") {
            $0.subscriptions[0].transactionId = .init(unchecked: "10")
        },
        Twist("a refunded period gives access", "wrongAccess") { $0.refund(11, share: RefundHistory.all) },
        Twist("a refunded product is held for ever", "wrongAccess") {
            $0.refund(2, share: RefundHistory.all)
        },
        Twist("a renewal is lost", "lost") { $0.remove { $0.transactionId == "11" } },
    ]

    /// What is all right.
    static let harmless = [
        Twist("nothing") { _ in },
        Twist("a spend whose outcome stayed unknown counts once") {
            $0.enter("spend", nil, "coins", 10, key: "unknown")
            $0.balances["coins"] = 252
        },
        Twist("a spend is refused, and does not count") {
            $0.audit.wallet.noteRefusal(of: "unknown", isCertain: true)
        },
        Twist("a refused spend counts of which an earlier attempt was under way") {
            $0.audit.wallet.noteRefusal(of: "unknown", isCertain: false)
            $0.enter("spend", nil, "coins", 10, key: "unknown")
            $0.balances["coins"] = 252
        },
        Twist("a refund takes less where a floor is") {
            $0.remove { $0.kind == "reversal" && $0.entitlement == "gems" }
            $0.balances["gems"] = 30
        },
        Twist("a refund that was not acknowledged has no effect") {
            $0.refund(1, share: RefundHistory.all, isAcknowledged: false)
        },
        Twist("a refund that was not acknowledged has its effect") {
            $0.refund(3, share: 0, signed: $0.now - 100, isAcknowledged: false)
            $0.enter("reinstatement", 3, "coins", 25)
            $0.enter("reinstatement", 3, "gems", 3)
            $0.balances = ["coins": 287, "gems": 30]
        },
        Twist("a full refund came before the grant") {
            $0.remove { $0.transactionId == "1" }
            $0.refund(1, share: RefundHistory.all)
            $0.balances = ["coins": 62, "gems": 7]
        },
        Twist("access is not judged while a notification is under way") {
            $0.refund(11, share: RefundHistory.all, isAcknowledged: false)
            $0.possessions["vip"] = nil
        },
    ]
}

@Suite struct `the judge of what buyers hold` {
    @Test(arguments: Twists.wallet + Twists.refunds + Twists.access)
    private func `counts what is wrong under its own name and no other`(twist: Twist) {
        var run = HoldingsRun()
        twist.happen(&run)
        let report = run.report()
        #expect(report.faults == twist.faults)
        #expect(!report.isClean)
    }

    @Test(arguments: Twists.harmless)
    private func `finds nothing wrong where nothing is`(twist: Twist) {
        var run = HoldingsRun()
        twist.happen(&run)
        #expect(run.report().faults == [:])
    }

    @Test func `says whose access it cannot judge`() {
        var run = HoldingsRun()
        run.refund(11, share: RefundHistory.all, isAcknowledged: false)
        #expect(run.report().undecided == 1)
        #expect(HoldingsRun().report().undecided == 0)
    }

    @Test func `counts what was done`() {
        let report = HoldingsRun().report()
        #expect(report.isClean)
        #expect((report.renewals, report.refunds) == (1, 1))
        #expect((report.spends, report.credits, report.reversals) == (2, 1, 1))
    }
}

@Suite struct `the access that a chain must give` {
    /// The times of its periods, the refunds of some, and the end of a grace period.
    private struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let periods: [(Range<Int64>, revoked: Int64?)]
        let spans: [Range<Int64>]
        var grace: Int64?
        /// When Apple spoke of it.
        var signed: Int64 = 15

        init(_ name: String, _ periods: [(Range<Int64>, revoked: Int64?)], _ spans: [Range<Int64>]) {
            (testDescription, self.periods, self.spans) = (name, periods, spans)
        }

        /// The same with a grace period.
        func grace(until end: Int64, signed: Int64 = 15) -> Case {
            var example = self
            (example.grace, example.signed) = (end, signed)
            return example
        }
    }

    private static let cases = [
        Case("renewed", [(0..<10, nil), (10..<20, nil)], [0..<10, 10..<20]),
        Case("upgraded, shorter", [(0..<30, nil), (5..<8, nil)], [0..<5, 5..<8]),
        Case("a refunded upgrade revives nothing", [(0..<30, nil), (5..<35, 7)], [0..<5, 5..<7]),
        Case("the older refunded", [(0..<10, 4), (10..<20, nil)], [0..<4, 10..<20]),
        Case("refunded before it begins", [(0..<10, nil), (10..<20, 4)], [0..<10]),
        Case("grace after the last", [(0..<10, nil), (10..<20, nil)], [0..<10, 10..<25]).grace(until: 25),
        Case("no grace before the next", [(0..<10, nil), (12..<20, nil)], [0..<10, 12..<20])
            .grace(until: 11),
        Case(
            "no grace of which Apple spoke before the last began",
            [(0..<10, nil), (10..<20, nil)],
            [0..<10, 10..<20]
        )
        .grace(until: 25, signed: 9),
    ]

    @Test(arguments: cases)
    private func `follows from its periods in any order`(example: Case) {
        for order in [example.periods, example.periods.reversed()] {
            var chain = Chain(1, of: 0)
            chain.periods = order.enumerated().map { number, period in
                Chain.Period(
                    transaction: UInt64(number),
                    product: 0,
                    begins: period.0.lowerBound,
                    ends: period.0.upperBound,
                    revoked: period.revoked
                )
            }
            if let grace = example.grace {
                chain.renewals = [.init(signed: example.signed, gracePeriodEnds: grace, isAcknowledged: true)]
            }
            #expect(chain.spans.map(\.time) == example.spans)
        }
    }
}
