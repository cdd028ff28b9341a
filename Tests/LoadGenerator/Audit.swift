import Foundation
import LoadVerdict
import TestKit

/// Holds ledgers and answers against what was paid: exactly one grant for each payment, of the right amount, in the
/// right buyer's ledger, for the right order, and no phone told to finish before.
struct Audit: Sendable {
    private struct Found {
        let buyer: Int32
        let order: UUID
        /// One bit for each entitlement that was granted.
        var entitlements: UInt64
    }

    private let products: [Product]
    private var expectations: [UInt64: PurchaseExpectation] = [:]
    /// What restoring made of a payment, and the payment.
    private var payment: [UInt64: UInt64] = [:]
    private var found: [UInt64: Found] = [:]
    private var orders: [UUID: UInt64] = [:]
    private var entitlements: [String: Int] = [:]
    /// The last entry that was read of each buyer's ledger.
    private(set) var lastEntries: [Int32: String] = [:]
    /// What one of a product grants, as its first grant showed.
    private var shown: [UInt8: Int64] = [:]

    /// Acknowledged, and in no ledger so far.
    private(set) var unseen: Set<UInt64> = []
    private var twice: Set<UInt64> = []
    private var wrongBuyer: Set<UInt64> = []
    private var wrongAmount: Set<UInt64> = []
    private var wrongOrder: Set<UInt64> = []
    /// Entries that no payment of this run accounts for.
    private var unexplained = 0
    private var finishedTooEarly: Set<UInt64> = []
    private var parked: Set<UInt64> = []
    /// Milliseconds since 1970; 0 before the first.
    private var firstPayment: Int64 = 0
    private var lastGrant: Int64 = 0

    // What phones counted.
    private(set) var acknowledged = 0
    var busy = 0
    private(set) var rejections = 0
    private var firstRejection: String?
    private var errors: [String: Int] = [:]
    /// From the first submission to the answer that says granted, in microseconds.
    private var latencies: [UInt32] = []
    private var samples = 0

    init(products: [Product]) { self.products = products }

    var paid: Int { expectations.count }
    var grants: Int { latencies.count }
    var errorCount: Int { errors.values.reduce(0, +) }

    var waitingBuyers: Set<Int> { Set(unseen.compactMap { expectations[$0].map { Int($0.owner) } }) }

    private func purchase(_ transaction: UInt64) -> UInt64 { payment[transaction] ?? transaction }

    // MARK: What phones say

    mutating func notePayment(_ transaction: UInt64, _ expectation: PurchaseExpectation) {
        if firstPayment == 0 { firstPayment = WallClock.microseconds / 1_000 }
        expectations[transaction] = expectation
    }

    /// From now on whatever is said of `other` is said of the payment.
    mutating func noteRestoring(_ other: UInt64, of transaction: UInt64) { payment[other] = transaction }

    mutating func noteAcknowledgement(_ transaction: UInt64) {
        acknowledged += 1
        let transaction = purchase(transaction)
        expectations[transaction]?.isAcknowledged = true
        if found[transaction] == nil { unseen.insert(transaction) }
    }

    /// An answer said that the goods are granted, so long after the proof was sent first.
    mutating func noteGrant(microseconds: Int64) { latencies.append(UInt32(clamping: microseconds)) }

    mutating func noteError(_ reason: String) { errors[reason, default: 0] += 1 }

    mutating func noteRejection(_ reason: String) {
        rejections += 1
        firstRejection = firstRejection ?? reason
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
        // Genuine, and its owner's: only the ledger could have ended it.
        if !isStranger || answer.verdict != "conflict" { finishedTooEarly.insert(purchase(transaction)) }
        return .over
    }

    /// Holds an answer that says granted against the ledger, as it was read after the answer came.
    mutating func compareWithLedger(_ transaction: UInt64) {
        samples += 1
        let transaction = purchase(transaction)
        if found[transaction] == nil { finishedTooEarly.insert(transaction) }
    }

    // MARK: What ledgers say

    /// Takes a page of a ledger that begins after `start`; false where another reader has come further.
    mutating func note(_ page: LedgerAnswer, of buyer: Int32, after start: String?) -> Bool {
        guard lastEntries[buyer] == start else { return false }
        for entry in page.entries { note(entry, of: buyer) }
        lastEntries[buyer] = page.entries.last?.entryId ?? start
        return true
    }

    /// Takes one entry into account; entries are to be given once each.
    mutating func note(_ entry: LedgerAnswer.Entry, of buyer: Int32) {
        guard entry.kind == "grant", let transaction = UInt64(entry.transactionId).map(purchase),
            let expectation = expectations[transaction]
        else {
            unexplained += 1
            return
        }
        lastGrant = max(lastGrant, entry.time)
        unseen.remove(transaction)
        if expectation.owner != buyer { wrongBuyer.insert(transaction) }
        if !isRight(entry.amount, expectation) { wrongAmount.insert(transaction) }
        if !isRight(entry, expectation) { wrongOrder.insert(transaction) }
        let bit = UInt64(1) << UInt64(number(of: entry.entitlement) % UInt64.bitWidth)
        guard let known = found[transaction] else {
            found[transaction] = Found(buyer: buyer, order: entry.orderId, entitlements: bit)
            if let other = orders.updateValue(transaction, forKey: entry.orderId), other != transaction {
                wrongOrder.insert(transaction)
            }
            return
        }
        if known.entitlements & bit != 0 || known.buyer != buyer { twice.insert(transaction) }
        found[transaction]?.entitlements |= bit
    }

    private mutating func number(of entitlement: String) -> Int {
        if let number = entitlements[entitlement] { return number }
        entitlements[entitlement] = entitlements.count
        return entitlements.count - 1
    }

    private mutating func isRight(_ amount: Int64, _ expectation: PurchaseExpectation) -> Bool {
        let quantity = Int64(expectation.quantity)
        let each =
            products[Int(expectation.product)].amount ?? shown[expectation.product] ?? amount / quantity
        shown[expectation.product] = each
        return amount > 0 && amount == each * quantity
    }

    /// Two payments with one token: one is for the order, the other has one of its own, with no reference.
    private func isRight(_ entry: LedgerAnswer.Entry, _ expectation: PurchaseExpectation) -> Bool {
        if entry.orderId == expectation.order { return entry.reference == expectation.reference }
        return expectation.twin != nil && entry.reference == nil
    }

    /// Of two payments with the same token, both granted and neither for the order, one is wrong.
    private var twinsWithoutOrder: Int {
        expectations.count { transaction, expectation in
            guard let twin = expectation.twin, transaction < twin, let one = found[transaction],
                let other = found[twin]
            else { return false }
            return one.order != expectation.order && other.order != expectation.order
        }
    }

    // MARK: The verdict

    func report(seconds: Double) -> LoadReport {
        let latencies = latencies.sorted().map { Double($0) / 1_000 }
        var report = LoadReport()
        report.purchases = paid
        report.granted = found.count
        report.restored = Set(payment.values).count
        report.lost = unseen.count
        report.twice = twice.count
        report.wrongBuyer = wrongBuyer.count
        report.finishTooEarly = finishedTooEarly.count
        let span = Double(max(lastGrant - firstPayment, 1)) / 1_000
        report.purchasesPerSecond = (Double(found.count) / span).tenths
        report.p50ms = latencies.percentile(0.50).tenths
        report.p95ms = latencies.percentile(0.95).tenths
        report.p99ms = latencies.percentile(0.99).tenths
        report.errors = errorCount
        report.errorsByKind = errors
        report.wrongAmount = wrongAmount.count
        report.wrongOrder = wrongOrder.count + twinsWithoutOrder
        report.unexplained = unexplained
        report.rejected = rejections
        report.firstRejection = firstRejection
        report.parked = parked.count
        report.unacknowledged = expectations.count { !$0.value.isAcknowledged && found[$0.key] == nil }
        report.checkedAtOnce = samples
        report.seconds = seconds.tenths
        return report
    }
}
