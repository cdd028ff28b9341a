import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `the Orders service` {
    let orders = OrdersHarness()

    @Test func `tells how long the oldest payment has waited for the ledger`() throws {
        #expect(try orders.gauge("paid_ungranted_oldest_seconds") == 0)
        let first = try orders.issue(.request(key: "key-1")).orderId
        let second = try orders.issue(.request(key: "key-2")).orderId
        #expect(try orders.gauge("orders_issued") == 2)
        try orders.propose(.token(first.rawValue), .bought("1000"))
        orders.now = orders.now.advanced(by: 3_000)
        try orders.propose(.token(second.rawValue), .bought("2000"))
        orders.now = orders.now.advanced(by: 1_500)
        #expect(try orders.gauge("paid_ungranted_oldest_seconds") == 4.5)
        #expect(try orders.gauge("paid_ungranted_orders") == 2)
        #expect(try orders.gauge("orders_issued") == 0)
        try orders.recordGrant(first, .parked, "1000")
        #expect(try orders.gauge("paid_ungranted_oldest_seconds") == 1.5)
        try orders.recordGrant(second, .granted, "2000")
        #expect(try orders.gauge("paid_ungranted_oldest_seconds") == 0)
    }

    @Test func `tells how many orders a timer watches, counting in an index alone`() throws {
        let first = try orders.issue(.request(key: "key-1")).orderId
        _ = try orders.issue(.request(key: "key-2"))
        _ = try orders.issue(.request(key: "key-3"))
        try orders.propose(.order(first))
        #expect(try orders.gauge("orders_to_look_up") == 2)
        orders.now = orders.now.advanced(by: PaymentLookupSchedule.ages[4])
        _ = try orders.lookUpPayments()
        #expect(try orders.gauge("orders_to_look_up") == 2, "their expiry is awaited")
        #expect(try orders.gauge("orders_issued") == 2)
        orders.now = orders.now.advanced(by: OrdersHarness.expiry.age)
        _ = try orders.lookUpPayments()
        #expect(try orders.gauge("orders_to_look_up") == 0)
        #expect(try orders.gauge("orders_issued") == 0)
        let plan = try orders.database.write {
            try $0.plan(of: "SELECT 1 FROM orders WHERE lookup_at IS NOT NULL LIMIT 9")
        }
        #expect(plan.count == 1)
        #expect(plan[0].contains("USING COVERING INDEX orders_to_look_up"))
    }

    @Test(arguments: ["order", "ORDER", "transaction", "reference"])
    func `traces an order by any of its ids`(kind: String) throws {
        let (issue, claim) = (EventID(unchecked: "e-issue"), EventID(unchecked: "e-claim"))
        let request = OrderIssueV1.request(reference: "R-1")
        let issued = try orders.handle(request, id: issue, OnOrderIssue().callAsFunction)
        let id = try #require(issued.reply).orderId
        try orders.close(id)
        orders.now = orders.now.advanced(by: 1_000)
        try orders.propose(.order(id), id: claim)
        orders.now = orders.now.advanced(by: 1_000)
        try orders.recordGrant(id, .granted)
        let name =
            switch kind {
            case "order": id.rawValue
            case "ORDER": id.rawValue.uppercased()
            case "transaction": "1000"
            default: "R-1"
            }
        let trace = try orders.trace(name, "unknown")
        #expect(trace.related == [id.rawValue, "1000"])
        let types = [OrderCloseV1.type, OrderIssueV1.type, ClaimProposedV1.type, GrantRecordedV1.type]
        #expect(trace.entries.map(\.type) == types.map(\.rawValue))
        #expect(trace.entries[1].id == "e-issue")
        #expect(trace.entries[2].id == "e-claim" && trace.entries[2].causationid == "cause")
        #expect(trace.entries[2].time == Timestamp(milliseconds: 1_760_000_001_000))
    }

    @Test func `traces nothing for an id that it does not know`() throws {
        _ = try orders.issue()
        #expect(try orders.trace("1000", "f47ac10b-58cc-4372-a567-0e02b2c3d479") == Trace())
    }

    @Test func `traces a registered token`() throws {
        let token = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
        _ = try orders.register(token)
        #expect(try orders.trace(token).entries.map(\.type) == [TokenRegisterV1.type.rawValue])
    }

    @Test func `sends every held claim and every payment again, each to its own partition`() throws {
        var held: [ClaimRedrivenV1] = []
        var granted: [PurchaseReportedV1] = []
        for number in 1...40 {
            let facts = TransactionFacts.bought("\(1_000 + number)")
            try orders.propose(.caller(BuyerID(unchecked: "buyer-\(number)")), facts, attempt: number)
            let claim = try orders.only(ClaimHeldV1.self)
            held.append(
                ClaimRedrivenV1(
                    attempt: number,
                    transaction: facts,
                    buyerId: claim.buyerId,
                    orderId: claim.orderId,
                    evidence: .caller
                )
            )
            var grant = try orders.only(PurchaseReportedV1.self)
            grant.submission = nil
            granted.append(grant)
        }
        _ = try orders.issue()
        let before = try orders.contents()
        var again: [OutgoingEvent] = []
        for partition in 0..<orders.partitions {
            for name in [ServiceName.receipts, .entitlements, .notifications] {
                let target = PartitionAddress(name, partition)
                #expect(try orders.redrive(to: target).next.isEmpty)
                #expect(orders.sent.allSatisfy { $0.to == target })
                again += orders.sent
            }
        }
        let (heldAgain, grantedAgain) = try (
            again.bodies(ClaimRedrivenV1.self), again.bodies(PurchaseReportedV1.self)
        )
        #expect(again.count == 80 && Set(heldAgain) == Set(held) && Set(grantedAgain) == Set(granted))
        #expect(try orders.contents() == before)
    }

    @Test func `has something to say again to every service to which it has a link`() throws {
        _ = try orders.issuePaid()
        for target in try #require(LinkKind.all[.orders]).keys {
            #expect(try !orders.redriven(to: target).isEmpty, "\(target)")
        }
    }

    @Test func `sends a page at a time, and goes on after the last order of the page before`() throws {
        let count = PaymentStore.pageRows + 20
        for number in 1...count {
            try orders.propose(.caller(BuyerID(unchecked: "b-\(number)")), .bought("\(number)"))
        }
        var again: [TransactionID] = []
        for partition in 0..<orders.partitions {
            var (key, pages): ([String], Int) = ([], 0)
            repeat {
                key = try orders.redrive(to: PartitionAddress(.receipts, partition), after: key).next
                again += try orders.sent.bodies(ClaimRedrivenV1.self).map(\.transaction.transactionId)
                pages += 1
            } while !key.isEmpty
            #expect(pages == 2)
        }
        #expect(again.count == count && Set(again).count == count, "each is told once")
    }

    @Test(arguments: [
        "UPDATE orders SET payment = 'lost'",
        "UPDATE orders SET payment = 'paid'",
        "UPDATE orders SET transaction_id = '1'",
        "UPDATE orders SET payment = 'closed'",
        "UPDATE orders SET payment = 'deferred'",
        "UPDATE orders SET payment = 'closed', close_reason = 'bored'",
        "UPDATE orders SET fulfilment = 'granted', granted_at = 1",
        "UPDATE orders SET late = 2",
        "UPDATE orders SET lookups = -1",
        """
        UPDATE orders SET payment = 'paid', unpaid_as = 'issued', purchase_id = '1', transaction_id = '1', paid_at = 1, \
        held_by = 'order', facts = '{}', signed_date = 1
        """,
        "UPDATE orders SET origin = 'web'",
        "UPDATE orders SET origin = 'renewal'",
        "UPDATE orders SET over_limit = 1",
        "UPDATE orders SET unit_limit = 0",
        "UPDATE orders SET sandbox_of = 'x'",
        "UPDATE orders SET unpaid_as = 'issued'",
        "UPDATE orders SET late = 1",
        "UPDATE orders SET payment = 'void', lookup_at = NULL",
        """
        UPDATE orders SET payment = 'void', released_purchase_id = '1', released_transaction_id = '1', released_transfers = 1, \
        lookup_at = NULL
        """,
        "UPDATE orders SET released_purchase_id = '1', released_transaction_id = '1'",
        "UPDATE orders SET released_purchase_id = '1', released_transaction_id = '1', released_transfers = 0",
    ])
    func `has a schema that is a referee too`(statement: String) throws {
        _ = try orders.issue()
        #expect(throws: StoreError.self) { try orders.database.write { try $0.execute(statement, []) } }
    }

    @Test func `cannot store one transaction as the payment of two orders`() throws {
        let orderIDs = try ["key-1", "key-2"].map { try orders.issue(.request(key: $0)).orderId }
        try orders.propose(.order(orderIDs[0]))
        #expect(throws: StoreError.self) {
            try orders.database.write { connection in
                try connection.execute(
                    """
                    UPDATE orders SET payment = 'paid', unpaid_as = 'issued', purchase_id = '1000', \
                    transaction_id = '1000', paid_at = 1, held_by = 'order', facts = '{}', signed_date = 1, \
                    lookup_at = NULL WHERE order_id = ?
                    """,
                    [.text(orderIDs[1].rawValue)]
                )
            }
        }
    }

    @Test(arguments: [
        ("purchase_id = ? AND bundle_id = ? AND environment = ?", "orders_by_purchase"),
        ("purchase_id = ?", "orders_by_purchase"),
        ("released_purchase_id = ?", "orders_by_released_purchase"),
        ("reference = ?", "orders_by_reference"),
        ("buyer_id = ? AND idempotency_key = ? AND bundle_id = ?", "orders_by_idempotency_key"),
        (
            """
            buyer_id = ? AND bundle_id = ? AND product_id = ? AND environment = ? \
            AND \(OrderStore.isAwaited) AND payment IN ('issued', 'deferred') ORDER BY order_id LIMIT 1
            """, "orders_open"
        ),
        ("payment = 'paid' AND fulfilment = 'none' LIMIT ?", "orders_paid_ungranted"),
        ("lookup_at > ? ORDER BY lookup_at LIMIT ?", "orders_to_look_up"),
        ("lookup_at <= ? ORDER BY lookup_at LIMIT ?", "orders_to_look_up"),
        ("lookup_at > ? AND lookup_at <= ?", "orders_to_look_up"),
        (
            """
            buyer_id = ? AND bundle_id = ? AND environment = ? AND \(OrderStore.isAwaited) \
            AND lookup_at IS NOT NULL AND lookups < 5
            """, "orders_open"
        ),
        (
            """
            buyer_id = ? AND bundle_id = ? AND environment = ? AND payment = 'paid' ORDER BY order_id DESC LIMIT 1
            """, "orders_by_buyer"
        ),
        (
            """
            buyer_id = ? AND bundle_id = ? AND environment = ? AND order_id < ? AND product_id = ? \
            AND (payment = 'paid' AND fulfilment = 'none' OR payment = 'closed') ORDER BY order_id DESC LIMIT ?
            """, "orders_by_buyer"
        ),
    ])
    func `finds orders by index, however many there are`(condition: String, index: String) throws {
        let values = condition.filter { $0 == "?" }.map { _ in Value.text("x") }
        let plan = try orders.database.write { connection in
            try connection.rows("EXPLAIN QUERY PLAN SELECT * FROM orders WHERE \(condition)", values)
        }
        #expect(plan.count == 1)
        #expect(try (plan[0][3] as String).contains("USING INDEX \(index)"))
    }
}
