import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery

/// One payment, whose restores have transaction ids of their own.
@Suite struct `a restored purchase` {
    let orders = OrdersHarness()
    let bought = TransactionFacts.bought("1000")

    /// The same purchase under another id.
    private var restored: TransactionFacts {
        .bought("2000", signed: bought.signedDate.milliseconds + 1)
            .with(\.originalTransactionId, bought.transactionId).with(\.purchaseId, bought.purchaseId)
    }

    @Test func `pays the order that it has paid, and no other`() throws {
        let order = try orders.issue()
        try orders.propose(.order(order.orderId), bought)
        let paid = try orders.pay(.caller(.eve), restored, by: .eve)
        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.orderId == order.orderId && held.buyerId == .ada)
        #expect(held.purchaseId == bought.purchaseId)
        #expect(try orders.contents().count == 1)
        #expect(paid.transactionId == bought.transactionId)
    }

    @Test func `is found when it is sought`() throws {
        let order = try orders.pay(.caller(.ada), restored).orderId
        try orders.lookUp(bought, by: .eve, attempt: 7)
        #expect(try orders.only(ClaimHeldV1.self).orderId == order)
    }

    @Test func `cannot pay a second order with another of its ids, whatever the program does`() throws {
        try orders.propose(.caller(.ada), bought)
        #expect(throws: StoreError.self) {
            try orders.execute(
                """
                INSERT INTO orders (order_id, bundle_id, buyer_id, product_id, quantity, environment, issued_at, \
                origin, payment, unpaid_as, purchase_id, transaction_id, paid_at, held_by, facts, signed_date) \
                SELECT 'other', bundle_id, buyer_id, product_id, quantity, environment, issued_at, \
                origin, payment, unpaid_as, purchase_id, '2000', paid_at, held_by, facts, signed_date FROM orders
                """
            )
        }
    }

    @Test func `follows the ledger's word on the purchase`() throws {
        let order = try orders.pay(.caller(.ada), restored).orderId
        #expect(try orders.recordGrant(order, .granted, "2000") == .deadLettered("paidByAnother"))
        #expect(try orders.recordGrant(order, .granted, "1000") == .applied)
        #expect(try orders.order(order).state == .granted)
    }

    @Test func `is refunded by the newest word, under whichever id`() throws {
        let order = try orders.pay(.caller(.ada), bought).orderId
        let refund = restored.with(\.revocationDate, restored.signedDate)
        try orders.update(order, refund, by: nil)
        #expect(try orders.only(PurchaseReportedV1.self).transaction == refund)
        let rows = try orders.rows("SELECT revoked, purchase_id FROM orders")
        #expect(rows.map(\.values) == [[.integer(1), .text("1000")]])
    }
}

/// One subscription period, whose key depends on what a proof says of it: a restored store of Receipts may come with
/// another key than the one that paid.
@Suite struct `a purchase that comes under another key` {
    let orders = OrdersHarness()

    private static let byLineItem = PurchaseID(unchecked: "900:55")
    private static let byTransaction = PurchaseID(unchecked: "1000")

    private static func period(_ key: PurchaseID, signed: Int64 = 100) -> TransactionFacts {
        .bought("1000", type: "Auto-Renewable Subscription", signed: signed)
            .with(\.originalTransactionId, TransactionID(unchecked: "900")).with(\.purchaseId, key)
    }

    @Test(arguments: [(byLineItem, byTransaction), (byTransaction, byLineItem)])
    func `pays no second order, and its goods keep the first key`(
        first: PurchaseID,
        second: PurchaseID
    ) throws {
        let order = try orders.pay(.caller(.ada), Self.period(first)).orderId
        try orders.propose(.caller(.eve), Self.period(second, signed: 200), by: .eve)
        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.orderId == order && held.buyerId == .ada)
        #expect(held.purchaseId == second, "Receipts hears of the claim about which it asked")
        #expect(try orders.only(PurchaseReportedV1.self).transaction.purchaseId == first)
        #expect(try orders.rows("SELECT purchase_id FROM orders").map(\.values) == [[.text(first.rawValue)]])
    }

    @Test(arguments: [(byLineItem, byTransaction), (byTransaction, byLineItem)])
    func `is found when it is sought`(first: PurchaseID, second: PurchaseID) throws {
        let order = try orders.pay(.caller(.ada), Self.period(first)).orderId
        try orders.lookUp(Self.period(second), by: .eve, attempt: 7)
        #expect(try orders.only(ClaimHeldV1.self).orderId == order)
    }

    @Test func `is completed by a statement of the same time that says whose it is, and by it alone`() throws
    {
        let silent = TransactionFacts.bought()
        let order = try orders.pay(.caller(.ada), silent).orderId
        let whole = silent.with(\.inAppOwnershipType, "FAMILY_SHARED")
        func stored() throws -> [[Value]] {
            try orders.rows("SELECT facts ->> 'inAppOwnershipType' FROM orders").map(\.values)
        }
        for facts in [whole, silent, whole] {
            try orders.update(order, facts, by: .ada)
            #expect(try stored() == [[.text("FAMILY_SHARED")]])
        }
        try orders.redrive(to: .ofAda(.entitlements))
        let request = try orders.only(PurchaseReportedV1.self)
        #expect(request.transaction.isShared, "a restored ledger hears it, too")
    }

    @Test(arguments: [(byLineItem, byTransaction), (byTransaction, byLineItem)])
    func `is updated under its first key, and the submission goes on naming its transaction`(
        first: PurchaseID,
        second: PurchaseID
    ) throws {
        let order = try orders.pay(.caller(.ada), Self.period(first)).orderId
        try orders.update(order, Self.period(second, signed: 300), by: .ada)
        let grant = try orders.only(PurchaseReportedV1.self)
        #expect(grant.transaction.purchaseId == first)
        #expect(grant.submission?.transactionId == TransactionID(unchecked: "1000"))
        let stored = try orders.rows("SELECT signed_date, purchase_id, facts ->> 'purchaseId' FROM orders")
        #expect(stored.map(\.values) == [[.integer(300), .text(first.rawValue), .text(first.rawValue)]])
    }

    @Test func `is another purchase with another transaction`() throws {
        _ = try orders.pay(.caller(.ada), Self.period(Self.byLineItem))
        let other = Self.period(PurchaseID(unchecked: "1001"))
            .with(\.transactionId, TransactionID(unchecked: "1001"))
        try orders.propose(.caller(.ada), other)
        #expect(try orders.contents().count == 2)
    }
}

@Suite struct `a renewal` {
    let orders = OrdersHarness()

    @Test func `gets an order of its own, and leaves the one that its holder placed`() throws {
        let open = try orders.issue().orderId
        let paid = try orders.pay(.holder(.ada), by: nil)
        #expect(paid.orderId != open && paid.buyerId == .ada)
        #expect(try orders.order(open).state == .issued)
    }
}
