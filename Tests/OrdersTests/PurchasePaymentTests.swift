import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Orders

/// One payment, whose restores have transaction ids of their own.
@Suite struct `a restored purchase` {
    let orders: OrdersHarness
    let bought = TransactionFacts.facts("1000")

    init() throws { orders = try OrdersHarness() }

    /// The same purchase under another id.
    private var restored: TransactionFacts {
        var facts = TransactionFacts.facts("2000", signed: bought.signedDate.milliseconds + 1)
        facts.originalTransactionId = bought.transactionId
        facts.purchaseId = bought.purchaseId
        return facts
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
            try orders.database.write { connection in
                try connection.execute(
                    """
                    INSERT INTO orders (order_id, bundle_id, buyer_id, product_id, quantity, environment, issued_at, \
                    payment, purchase_id, transaction_id, paid_at, facts, signed_date) \
                    SELECT 'other', bundle_id, buyer_id, product_id, quantity, environment, issued_at, \
                    payment, purchase_id, '2000', paid_at, facts, signed_date FROM orders
                    """
                )
            }
        }
    }

    @Test func `is settled by the ledger's word on the purchase`() throws {
        let order = try orders.pay(.caller(.ada), restored).orderId
        #expect(try orders.settle(order, .granted, "2000") == .parked("paidByAnother"))
        #expect(try orders.settle(order, .granted, "1000") == .applied)
        #expect(try orders.order(order).state == .granted)
    }

    @Test func `is refunded by the newest word, under whichever id`() throws {
        let order = try orders.pay(.caller(.ada), bought).orderId
        var refund = restored
        refund.revocationDate = refund.signedDate
        try orders.update(order, refund, by: nil)
        #expect(try orders.only(GrantRequestedV1.self).transaction == refund)
        let rows = try orders.rows("SELECT revoked, purchase_id FROM orders")
        #expect(rows.map(\.values) == [[.integer(1), .text("1000")]])
    }
}
