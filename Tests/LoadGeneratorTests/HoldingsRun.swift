import Contracts
import Foundation
import LoadVerdict

@testable import LoadGenerator

/// A run of one buyer as its judge is told of it; everything is as it must be.
///
/// It is what was acknowledged, what the ledger has, and what the gateway says is held.
struct HoldingsRun {
    static let day: Int64 = 86_400_000
    static let products = [
        Product(id: "pack", amount: nil, amounts: ["coins": 100, "gems": 10]),
        Product(id: "pro", amount: nil, kind: .nonConsumable, possessions: ["pro"]),
        Product(id: "month", amount: nil, kind: .autoRenewable, amounts: ["coins": 5], possessions: ["vip"]),
        Product(id: "year", amount: nil, kind: .autoRenewable, possessions: ["vip", "club"]),
    ]

    /// Milliseconds since 1970.
    let now = HoldingsReading.sampleTime
    var audit: Audit
    var entries: [LedgerPage.Entry] = []
    var balances: [String: Int64] = ["coins": 262, "gems": 27]
    /// What is possessed, and when it ends.
    var possessions: [String: Int64?]
    var subscriptions: [SubscriptionsV1.Subscription] = []

    init() {
        audit = Audit(products: Self.products, buyers: ["ada"], floors: ["gems"])
        possessions = ["pro": nil, "vip": now + Self.day, "club": now + Self.day]
        buyOnce()
        refundAPart()
        useTheWallet()
        subscribe()
    }

    // MARK: What happened

    private mutating func buyOnce() {
        buy(1, product: 0, quantity: 2)
        enter("grant", 1, "coins", 200)
        enter("grant", 1, "gems", 20)
        buy(2, product: 1)
        enter("grant", 2, "pro", 1)
    }

    /// A quarter of a third payment, of which parts of a gem are a whole one.
    private mutating func refundAPart() {
        buy(3, product: 0)
        enter("grant", 3, "coins", 100)
        enter("grant", 3, "gems", 10)
        refund(3, share: 25_000)
        enter("reversal", 3, "coins", 25)
        enter("reversal", 3, "gems", 3)
    }

    /// Two spends, of which one is given back, a third one of which nobody knows, and a credit.
    private mutating func useTheWallet() {
        move("spent", .spend, 30)
        move("given", .spend, 5)
        audit.wallet.noteAttempt(movement("back", .spendReversal, 5, undoes: "entry-given"))
        audit.wallet.noteEntry("entry-back", of: "back")
        enter("spendReversal", nil, "coins", 5, entry: "entry-back", undoes: "entry-given")
        audit.wallet.noteAttempt(movement("unknown", .spend, 10))
        move("earned", .credit, 7)
    }

    /// One that went on with another product, which ends earlier, and one that is over.
    private mutating func subscribe() {
        add(10, of: 10, product: 2, from: -1_000, to: 10 * Self.day)
        add(11, of: 10, product: 3, from: -500, to: Self.day)
        add(20, of: 20, product: 2, from: -10 * Self.day, to: -5 * Self.day)
        subscriptions = [
            Self.subscription(10, "year", .active, 11, until: now + Self.day),
            Self.subscription(20, "month", .expired, 20, until: now - 5 * Self.day),
        ]
    }

    mutating func buy(_ transaction: UInt64, product: UInt8, quantity: UInt8 = 1) {
        let order = order(transaction)
        audit.orders.place(order, PlacedOrder(buyer: 0, product: product))
        audit.notePayment(
            transaction,
            PurchaseExpectation(owner: 0, product: product, quantity: quantity, names: .byToken(order))
        )
        audit.noteAcknowledgement(transaction)
    }

    mutating func refund(
        _ transaction: UInt64,
        share: Int64,
        signed: Int64? = nil,
        isAcknowledged: Bool = true
    ) {
        let (signed, isPeriod) = (signed ?? now - 200, transaction >= 10)
        let revoked = share > 0 ? now - 200 : nil
        audit.note(.init(signed: signed, share: share, revoked: revoked), of: transaction, isPeriod: isPeriod)
        if isAcknowledged { audit.noteRefund(of: transaction, signed: signed) }
    }

    func movement(_ key: String, _ kind: Movement.Kind, _ amount: Int64, undoes: String? = nil) -> Movement {
        Movement(key: key, kind: kind, buyer: 0, entitlement: "coins", amount: amount, undoes: undoes)
    }

    private mutating func move(_ key: String, _ kind: Movement.Kind, _ amount: Int64) {
        audit.wallet.noteAttempt(movement(key, kind, amount))
        audit.wallet.noteEntry("entry-\(key)", of: key)
        enter(kind.rawValue, nil, "coins", amount, entry: "entry-\(key)", key: key)
    }

    private mutating func add(
        _ transaction: UInt64,
        of chain: UInt64,
        product: UInt8,
        from begins: Int64,
        to ends: Int64
    ) {
        audit.notePayment(transaction, PurchaseExpectation(owner: 0, product: product, names: .nothing))
        audit.noteServerNotification(of: transaction)
        let period = Chain.Period(
            transaction: transaction,
            product: product,
            begins: now + begins,
            ends: now + ends
        )
        audit.apple.note(period, of: chain, buyer: 0, isRenewal: transaction != chain)
        for (name, amount) in Self.products[Int(product)].amounts {
            enter("grant", transaction, name, amount)
        }
        for name in Self.products[Int(product)].possessions { enter("grant", transaction, name, 1) }
    }

    /// A chain of periods, of which one is told; it and the access end at `until`.
    static func subscription(
        _ chain: UInt64,
        _ product: String,
        _ state: SubscriptionsV1.Subscription.State,
        _ transaction: UInt64,
        until: Int64
    ) -> SubscriptionsV1.Subscription {
        var subscription = SubscriptionsV1.Subscription(
            originalTransactionId: TransactionID(unchecked: String(chain)),
            productId: ProductID(unchecked: product),
            state: state,
            transactionId: TransactionID(unchecked: String(transaction)),
            environment: .production
        )
        subscription.accessUntil = Timestamp(milliseconds: until)
        subscription.expires = subscription.accessUntil
        return subscription
    }

    // MARK: The ledger

    private func order(_ transaction: UInt64) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(transaction)))
    }

    mutating func enter(
        _ kind: String,
        _ transaction: UInt64?,
        _ entitlement: String,
        _ amount: Int64,
        entry: String = UUID().uuidString,
        key: String? = nil,
        undoes: String? = nil
    ) {
        var new = LedgerPage.Entry(kind, entitlement, amount, of: "ada", id: entry)
        new.undoes = undoes
        new.transactionId = transaction.map { String($0) }
        new.orderId = transaction.map(order)
        new.metadata = key.map { .init(key: $0) }
        entries.append(new)
    }

    mutating func remove(_ isGone: (LedgerPage.Entry) -> Bool) { entries.removeAll(where: isGone) }

    // MARK: The verdict

    /// What the judge says of it.
    func report() -> LoadReport {
        var audit = audit
        for entry in entries { audit.note(entry, of: 0) }
        let reading = HoldingsReading(EntitlementsV1(of: "ada", balances, possessions), subscriptions)
        _ = audit.note(reading, of: 0, ExpectedHoldings(audit))
        return audit.report(seconds: 1)
    }
}
