import Contracts
import Foundation
import LoadVerdict
import TestKit

/// Holds ledgers and answers against what was paid: exactly one grant for each payment, of the right amount, in the
/// right buyer's ledger, for the right order, and no phone told to finish before; balances and access as they follow
/// from everything that was acknowledged.
struct Audit: Sendable {
    struct Found {
        let buyer: Int32
        /// One bit for each entitlement that was granted.
        var entitlements: UInt64
    }

    /// Wrong orders that the report describes.
    private static let mostWrongOrders = 10

    let products: [Product]
    /// The buyers' names, by their numbers.
    let buyers: [String]
    /// Entitlements whose balance stops at zero when something is taken back.
    let floors: Set<String>
    private(set) var expectations: [UInt64: PurchaseExpectation] = [:]
    /// What restoring made of a payment, and the payment.
    private var payment: [UInt64: UInt64] = [:]
    private(set) var found: [UInt64: Found] = [:]
    var orders = OrderBook()
    private var entitlements: [String: Int] = [:]
    /// The last entry that was read of each buyer's ledger.
    private(set) var lastEntries: [Int32: String] = [:]
    /// What one of a product grants of an entitlement, as its first grant showed.
    private var shown: [String: Int64] = [:]
    /// What ledgers add up to, by buyer and entitlement; a possession counts as 1.
    private(set) var sums: [Int32: [String: Int64]] = [:]
    /// What refunds have taken back of each payment.
    private(set) var taken: [UInt64: [String: Int64]] = [:]
    var apple = AppleStatements()
    /// Purchases that go to another login.
    var moves = MoveBook()
    /// Spends and credits.
    var wallet = WalletBook()
    /// What operators give instead of purchases.
    var compensations = CompensationBook()
    /// What the game's server was told; nil where there is none.
    var webhooks: WebhookBook?

    /// Acknowledged, and in no ledger so far.
    private(set) var unseen: Set<UInt64> = []
    private var twice: Set<UInt64> = []
    private var wrongBuyer: Set<UInt64> = []
    private var wrongAmount: Set<UInt64> = []
    private var finishedTooEarly: Set<UInt64> = []
    private var parked: Set<UInt64> = []
    /// Buyers whose balances fell below what they may fall to.
    private(set) var brokenFloors: Set<Int32> = []
    /// As they were read last.
    private(set) var wrongBalances: Set<Int32> = []
    private(set) var wrongAccess: Set<Int32> = []
    private(set) var wrongTold: Set<Int32> = []
    private var undecided: Set<Int32> = []
    /// Milliseconds since 1970; 0 before the first.
    private var firstPayment: Int64 = 0
    private var lastGrant: Int64 = 0

    private(set) var acknowledged = 0
    var busy = 0
    /// What is only counted.
    private var counted = LoadReport()
    /// From the first submission to the answer that says granted, in microseconds.
    private var latencies: [UInt32] = []

    init(products: [Product], buyers: [String] = [], floors: Set<String> = []) {
        (self.products, self.buyers, self.floors) = (products, buyers, floors)
    }

    var paid: Int { expectations.count }
    var grants: Int { latencies.count }
    var rejections: Int { counted.rejected }
    var errorCount: Int { counted.errorsByKind.values.reduce(0, +) }

    var waitingBuyers: Set<Int> {
        let moving = lostMoves.compactMap { moves.all[$0] }.flatMap { [Int($0.from), Int($0.to)] }
        return Set(unseen.compactMap { expectations[$0].map { Int($0.owner) } }).union(moving)
    }

    private var lostMoves: Set<UInt64> { moves.lost { product(of: $0) } }

    private func purchase(_ transaction: UInt64) -> UInt64 { payment[transaction] ?? transaction }

    // MARK: What phones say

    mutating func notePayment(_ transaction: UInt64, _ expectation: PurchaseExpectation) {
        if firstPayment == 0 { firstPayment = WallClock.microseconds / 1_000 }
        expectations[transaction] = expectation
    }

    /// A client of its own has to bring a payment in, whatever it was answered.
    mutating func notePromise(of transaction: UInt64) { noteServerNotification(of: transaction) }

    /// A phone has finished what no answer had said that it may.
    mutating func noteEarlyFinish(_ transaction: UInt64) { finishedTooEarly.insert(transaction) }

    /// A phone was killed.
    mutating func notePhoneDeath() { counted.phoneDeaths += 1 }

    /// A phone has not finished it in all the time that it had.
    mutating func noteUnfinished(_ transaction: UInt64) { counted.unfinished += 1 }

    /// From now on whatever is said of `other` is said of the payment.
    mutating func noteRestoring(_ other: UInt64, of transaction: UInt64) { payment[other] = transaction }

    mutating func noteAcknowledgement(_ transaction: UInt64) {
        acknowledged += 1
        noteServerNotification(of: purchase(transaction))
    }

    /// The gateway has taken what Apple said of a period.
    mutating func noteServerNotification(of transaction: UInt64) {
        expectations[transaction]?.isAcknowledged = true
        lookForGrant(of: transaction)
    }

    /// An operator has given it to its buyer, by the gateway's word.
    mutating func noteAssignment(of transaction: UInt64) {
        counted.assignments += 1
        noteServerNotification(of: transaction)
    }

    /// Notes whether a payment must be in a ledger and is not.
    private mutating func lookForGrant(of transaction: UInt64) {
        let mustBeThere =
            expectations[transaction]?.isAcknowledged == true && found[transaction] == nil
            && apple.refunds[transaction]?.mayComeFirst != true
        if mustBeThere { unseen.insert(transaction) } else { unseen.remove(transaction) }
    }

    /// Apple is about to say something of a payment's refund.
    mutating func note(_ statement: RefundHistory.Statement, of transaction: UInt64, isPeriod: Bool) {
        apple.note(statement, of: transaction, isPeriod: isPeriod)
        lookForGrant(of: transaction)
    }

    /// The gateway has taken what Apple signed then of a refund.
    mutating func noteRefund(of transaction: UInt64, signed: Int64) {
        apple.noteRefund(of: transaction, signed: signed)
        lookForGrant(of: transaction)
    }

    /// An answer said that the goods are granted, so long after the proof was sent first.
    mutating func noteGrant(microseconds: Int64) { latencies.append(UInt32(clamping: microseconds)) }

    mutating func noteError(_ reason: String) { counted.errorsByKind[reason, default: 0] += 1 }

    mutating func noteRejection(_ reason: String) {
        counted.rejected += 1
        counted.firstRejection = counted.firstRejection ?? reason
    }

    /// What an answer means to the phone that it came to.
    enum Meaning {
        case askAgain, over
        /// Its own goods are granted, says the answer.
        case granted
    }

    /// Takes an answer about a payment, and holds it against the law of finishing.
    ///
    /// `isStranger` is whether the proof was submitted under another login than the buyer's.
    mutating func note(_ answer: VerdictAnswer, to transaction: UInt64, isStranger: Bool) -> Meaning {
        guard answer.finish else {
            switch answer.verdict {
            case "parked": parked.insert(purchase(transaction))
            // Every proof of a run is genuine.
            case "invalid": noteRejection("a proof is invalid")
            default: break
            }
            return answer.verdict == "pending" ? .askAgain : .over
        }
        if answer.isGranted, !isStranger { return .granted }
        if answer.verdict == "ended", !isStranger, mayHaveEnded(purchase(transaction)) { return .over }
        // Genuine, and its owner's: only the ledger could have ended it.
        if !isStranger || answer.verdict != "conflict" { finishedTooEarly.insert(purchase(transaction)) }
        return .over
    }

    /// What a login that shares its phone with whoever paid was told of the receipt in the end.
    mutating func noteSharing(_ meaning: Meaning) {
        counted.sharedPhones += 1
        if meaning == .askAgain { counted.untold += 1 }
    }

    /// Whether a payment may give nothing any more: Apple has spoken of a refund, or its time is over.
    private func mayHaveEnded(_ transaction: UInt64) -> Bool {
        if apple.refunds[transaction] != nil { return true }
        return expectations[transaction]?.ends.map { $0 <= WallClock.microseconds / 1_000 } ?? false
    }

    /// Holds an answer that says granted against the ledger, as it was read after the answer came.
    ///
    /// Of a restore that has moved it, the ledger is that of who restored it.
    mutating func compareWithLedger(_ transaction: UInt64, isMove: Bool = false) {
        counted.checkedAtOnce += 1
        let transaction = purchase(transaction)
        let isThere = isMove ? hasMoved(transaction) : found[transaction] != nil
        if !isThere { finishedTooEarly.insert(transaction) }
    }

    /// Whether a purchase is with who restored it, by the gateway's word or by the ledger.
    func hasMoved(_ transaction: UInt64) -> Bool {
        product(of: transaction).map { moves.hasCome(transaction, $0) } ?? false
    }

    private func product(of transaction: UInt64) -> Product? {
        expectations[transaction].map { products[Int($0.product)] }
    }

    // MARK: What ledgers say

    /// Takes a page of a ledger that begins after `start`; false where another reader has come further.
    mutating func note(_ page: LedgerPage, of buyer: Int32, after start: String?) -> Bool {
        guard lastEntries[buyer] == start else { return false }
        for entry in page.entries { note(entry, of: buyer) }
        lastEntries[buyer] = page.entries.last?.entryId ?? start
        return true
    }

    /// Takes one entry into account; entries are to be given once each, in their order.
    mutating func note(_ entry: LedgerPage.Entry, of buyer: Int32) {
        guard let change = entry.change(of: buyers[Int(buyer)]) else {
            counted.unexplained += 1
            return
        }
        let sum = sums[buyer, default: [:]][entry.entitlement, default: 0] + change
        sums[buyer, default: [:]][entry.entitlement] = sum
        if sum < 0, entry.kind == "spend" || floors.contains(entry.entitlement) { brokenFloors.insert(buyer) }
        let isExplained =
            switch entry.kind {
            case _ where entry.transactionId?.hasPrefix(CompensationBook.prefix) == true:
                compensations.note(entry, of: buyer, products)
            case "grant": noteGrant(entry, of: buyer)
            case "reversal", "reinstatement": noteTaken(-change, entry)
            case "transferOut", "transferIn": noteMove(entry, of: buyer)
            default: wallet.note(entry, of: buyer)
            }
        if !isExplained { counted.unexplained += 1 }
    }

    /// Takes what a refund took back, or its reversal gave back; false where Apple said nothing of it.
    private mutating func noteTaken(_ amount: Int64, _ entry: LedgerPage.Entry) -> Bool {
        guard let transaction = entry.transactionId.flatMap(UInt64.init).map(purchase),
            apple.refunds[transaction] != nil
        else { return false }
        taken[transaction, default: [:]][entry.entitlement, default: 0] += amount
        return true
    }

    /// Takes a possession that leaves a ledger or comes to it; false where nobody restored it.
    private mutating func noteMove(_ entry: LedgerPage.Entry, of buyer: Int32) -> Bool {
        guard let transaction = entry.transactionId.flatMap(UInt64.init).map(purchase),
            let expectation = expectations[transaction]
        else { return false }
        orders.note(entry, of: transaction, expectation)
        switch moves.note(entry, of: transaction, products[Int(expectation.product)], in: buyer) {
        case .right: break
        case .wrongBuyer: wrongBuyer.insert(transaction)
        case .unexplained: return false
        }
        return true
    }

    private mutating func noteGrant(_ entry: LedgerPage.Entry, of buyer: Int32) -> Bool {
        guard let transaction = entry.transactionId.flatMap(UInt64.init).map(purchase),
            let expectation = expectations[transaction]
        else { return false }
        lastGrant = max(lastGrant, entry.time)
        compensations.noteGrant(of: transaction, at: entry.time)
        unseen.remove(transaction)
        if expectation.owner != buyer { wrongBuyer.insert(transaction) }
        if !isAmountRight(entry, expectation) { wrongAmount.insert(transaction) }
        orders.note(entry, of: transaction, expectation)
        let bit = UInt64(1) << UInt64(number(of: entry.entitlement) % UInt64.bitWidth)
        guard let known = found[transaction] else {
            found[transaction] = Found(buyer: buyer, entitlements: bit)
            return true
        }
        if known.entitlements & bit != 0 || known.buyer != buyer { twice.insert(transaction) }
        found[transaction]?.entitlements |= bit
        return true
    }

    private mutating func number(of entitlement: String) -> Int {
        if let number = entitlements[entitlement] { return number }
        entitlements[entitlement] = entitlements.count
        return entitlements.count - 1
    }

    private mutating func isAmountRight(_ entry: LedgerPage.Entry, _ expectation: PurchaseExpectation) -> Bool
    {
        let (product, quantity) = (products[Int(expectation.product)], Int64(expectation.quantity))
        if product.isKnown { return entry.amount == product.granted(entry.entitlement, quantity: quantity) }
        let kind = "\(product.id) \(entry.entitlement)"
        let each = product.amount ?? shown[kind] ?? entry.amount / quantity
        shown[kind] = each
        return entry.amount == each * quantity
    }

    /// Payments that are in no ledger because a refund came before them.
    private var refundedFirst: [PurchaseExpectation] {
        apple.refunds.compactMap { transaction, refund in
            found[transaction] == nil && refund.mayComeFirst ? expectations[transaction] : nil
        }
    }

    /// Payments that are granted, and of whose goods some are missing.
    private var incomplete: [UInt64] {
        found.compactMap { transaction, found in
            guard let expectation = expectations[transaction] else { return nil }
            let product = products[Int(expectation.product)]
            return product.isKnown && found.entitlements.nonzeroBitCount != product.grantCount
                ? transaction : nil
        }
    }

    // MARK: What buyers hold

    /// Takes the body of a webhook.
    mutating func noteWebhook(_ body: Data) throws { try webhooks?.note(body) }

    /// Holds what a buyer has by the gateway against what was acknowledged; whether it is right.
    mutating func note(_ reading: HoldingsReading, of buyer: Int32, _ holdings: ExpectedHoldings) -> Bool {
        let balances = reading.entitlements.balances
        let isBalanceRight = holdings.isRight(balances, sums: sums[buyer, default: [:]], of: buyer)
        if isBalanceRight { wrongBalances.remove(buyer) } else { wrongBalances.insert(buyer) }
        let isAccessRight = holdings.isRight(reading, of: buyer, products)
        if isAccessRight { wrongAccess.remove(buyer) } else { wrongAccess.insert(buyer) }
        undecided = holdings.undecided
        let own = holdings.own[buyer, default: [:]]
        let isTold = webhooks?.agrees(with: reading.entitlements, own: own) ?? true
        if isTold { wrongTold.remove(buyer) } else { wrongTold.insert(buyer) }
        return isBalanceRight && isAccessRight && isTold
    }

    // MARK: The verdict

    func report(seconds: Double) -> LoadReport {
        let latencies = latencies.sorted().map { Double($0) / 1_000 }
        var report = counted
        report.purchases = paid
        report.granted = found.count
        report.restored = Set(payment.values).count
        report.lost = unseen.union(lostMoves).count + wallet.lost
        report.twice = twice.union(moves.twice).count + wallet.twice
        report.transfers = moves.count
        report.wrongBuyer = wrongBuyer.count
        report.finishTooEarly = finishedTooEarly.count
        let span = Double(max(lastGrant - firstPayment, 1)) / 1_000
        report.purchasesPerSecond = (Double(found.count) / span).tenths
        report.p50ms = latencies.percentile(0.50).tenths
        report.p95ms = latencies.percentile(0.95).tenths
        report.p99ms = latencies.percentile(0.99).tenths
        report.errors = errorCount
        report.renewals = apple.renewals
        report.refunds = apple.refunds.values.count(where: \.isAcknowledged)
        report.spends = wallet.acknowledged(.spend)
        report.credits = wallet.acknowledged(.credit)
        report.reversals = wallet.acknowledged(.spendReversal)
        report.insufficient = wallet.insufficient
        report.compensations = compensations.confirmed
        report.lateProofs = compensations.matched
        report.wrongCompensations = compensations.wrong
        report.wrongBalances = wrongBalances.union(brokenFloors).count
        report.wrongAccess = wrongAccess.count
        report.wrongTold = wrongTold.count
        report.undecided = undecided.count
        report.wrongAmount = wrongAmount.union(incomplete).count
        let wrongOrders = orders.faults(ungranted: refundedFirst)
        report.wrongOrder = wrongOrders.count
        report.wrongOrders = wrongOrders.isEmpty ? nil : Array(wrongOrders.prefix(Self.mostWrongOrders))
        report.takenOrders = orders.taken
        report.parked = parked.count
        report.unacknowledged = expectations.count { !$0.value.isAcknowledged && found[$0.key] == nil }
        report.seconds = seconds.tenths
        return report
    }
}
