import Foundation
import TestKit

/// Holds ledgers against what was paid: exactly one grant for each payment, of the right amount, in the right
/// buyer's ledger, for the right order.
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
    /// What one of a product grants, as its first grant showed.
    private var shown: [UInt8: Int64] = [:]

    /// Acknowledged, and in no ledger so far.
    private(set) var unseen: Set<UInt64> = []
    /// Granted more than once.
    private(set) var twice: Set<UInt64> = []
    private(set) var wrongBuyer: Set<UInt64> = []
    private(set) var wrongAmount: Set<UInt64> = []
    private(set) var wrongOrder: Set<UInt64> = []
    /// Entries that no payment of this run accounts for.
    private(set) var unexplained = 0
    private(set) var finishedTooEarly: Set<UInt64> = []
    private(set) var parked: Set<UInt64> = []
    /// Milliseconds since 1970; 0 before the first.
    private(set) var firstPayment: Int64 = 0
    private(set) var lastGrant: Int64 = 0

    init(products: [Product]) { self.products = products }

    /// Payments that were restored.
    var restored: Int { Set(payment.values).count }
    var payments: Int { expectations.count }
    /// Payments that are in a ledger.
    var granted: Int { found.count }
    /// Payments of phones that died for good before any answer, and that are in no ledger.
    var unacknowledged: Int { expectations.count { !$0.value.isAcknowledged && found[$0.key] == nil } }

    var waitingBuyers: Set<Int> { Set(unseen.compactMap { expectations[$0].map { Int($0.owner) } }) }

    mutating func expect(_ transaction: UInt64, _ expectation: PurchaseExpectation, at time: Int64) {
        if firstPayment == 0 { firstPayment = time }
        expectations[transaction] = expectation
    }

    /// Whatever is said of `other` is said of the payment.
    mutating func alias(_ other: UInt64, of transaction: UInt64) { payment[other] = transaction }

    private func purchase(_ transaction: UInt64) -> UInt64 { payment[transaction] ?? transaction }

    mutating func acknowledge(_ transaction: UInt64) {
        let transaction = purchase(transaction)
        expectations[transaction]?.isAcknowledged = true
        if found[transaction] == nil { unseen.insert(transaction) }
    }

    func isInLedger(_ transaction: UInt64) -> Bool { found[purchase(transaction)] != nil }

    mutating func noteFinishTooEarly(_ transaction: UInt64) { finishedTooEarly.insert(purchase(transaction)) }

    mutating func notePark(_ transaction: UInt64) { parked.insert(purchase(transaction)) }

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
    var twinsWithoutOrder: Int {
        expectations.count { transaction, expectation in
            guard let twin = expectation.twin, transaction < twin, let one = found[transaction],
                let other = found[twin]
            else { return false }
            return one.order != expectation.order && other.order != expectation.order
        }
    }
}
