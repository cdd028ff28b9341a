import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Orders

/// Ada's order, whose purchase has gone to somebody else.
@Suite struct `an order that loses its purchase` {
    let orders = OrdersHarness()

    /// An order that Ada's phone has placed, or one on the spot, paid by purchase 1000.
    private func paid(isPlaced: Bool) throws -> OrderID {
        if isPlaced { _ = try orders.issue() }
        return try orders.pay(.caller(.ada)).orderId
    }

    @Test func `is void if it was made on the spot, and nothing reopens it`() throws {
        let id = try paid(isPlaced: false)
        try orders.recordGrant(id, .granted)
        try orders.release(id)
        #expect(orders.workAt == nil)
        let void = try orders.order(id)
        #expect(void.state == .void && void.transactionId == nil)
        #expect(void.paidAt == nil && void.grantedAt == nil)
        let made = try orders.pay(.token(id.rawValue), .bought("2000"))
        #expect(made.orderId != id && made.buyerId == .ada, "its token still says whose a payment is")
        try orders.propose(.order(id), .bought("3000"))
        #expect(try orders.only(ClaimRefusedV1.self).reason == .alreadyPaid)
        #expect(try orders.close(id) == void)
        #expect(try orders.report(id, .deferred) == void)
        #expect(try orders.order(id) == void)
    }

    @Test(arguments: [OrderV1.State.issued, .deferred, .closed])
    func `is again what it was before, and another purchase may pay it`(before: OrderV1.State) throws {
        let id = try orders.issue().orderId
        if before == .deferred { try orders.report(id, .deferred) }
        if before == .closed { try orders.close(id, .failed) }
        let unpaid = try orders.order(id)
        try orders.propose(.token(id.rawValue))
        try orders.recordGrant(id, .parked)
        try orders.release(id)
        #expect(try orders.order(id) == unpaid)
        let paid = try orders.pay(.token(id.rawValue), .bought("2000"))
        #expect(paid.orderId == id && paid.state == .paid && paid.transactionId?.rawValue == "2000")
        #expect(paid.late == (before == .closed ? true : nil))
    }

    @Test func `loses that purchase alone`() throws {
        let id = try paid(isPlaced: true)
        let before = try orders.contents()
        try orders.release(id, "2000")
        let other = OrderReleasedV1(
            bundleId: .game,
            environment: .sandbox,
            orderId: id,
            purchaseId: PurchaseID(unchecked: "1000"),
            transfer: 1
        )
        #expect(try orders.handle(other, OnOrderReleased().callAsFunction) == .applied)
        #expect(try orders.contents() == before)
        try orders.release(.elsewhere())
        #expect(orders.recorded.count == 1 && orders.sent.isEmpty)
    }

    @Test func `loses it under another of its keys, too`() throws {
        let facts = TransactionFacts.bought("1000", type: "Auto-Renewable Subscription")
            .with(\.originalTransactionId, TransactionID(unchecked: "900")).with(\.webOrderLineItemId, "55")
        let id = try orders.pay(.caller(.ada), facts).orderId
        try orders.release(id, "900:56")
        #expect(try orders.order(id).state == .paid)
        try orders.release(id, "900:55")
        #expect(try orders.order(id).state == .void)
        #expect(try orders.recordGrant(id, .granted, "1000") == .applied, "the ledger has the first key")
    }

    // MARK: What is on its way

    @Test(arguments: [false, true])
    func `hears nothing of it any more, and asks no ledger for it`(isPlaced: Bool) throws {
        let id = try paid(isPlaced: isPlaced)
        try orders.release(id)
        let before = try orders.contents()
        for outcome in GrantOutcome.allCases { #expect(try orders.recordGrant(id, outcome) == .applied) }
        for facts in [TransactionFacts.bought(), .bought(signed: 900, refunded: 100_000)] {
            try orders.update(id, facts)
            #expect(orders.sent.isEmpty && orders.recorded.count == 1)
        }
        try orders.release(id, transfer: 2)
        #expect(try orders.contents() == before)
        #expect(try orders.recordGrant(id, .granted, "2000") == .deadLettered("unpaid"))
    }

    @Test func `hears nothing of it after another purchase has paid it`() throws {
        let id = try paid(isPlaced: true)
        try orders.release(id)
        try orders.propose(.token(id.rawValue), .bought("2000"))
        let before = try orders.contents()
        #expect(try orders.recordGrant(id, .reversed) == .applied)
        try orders.update(id)
        #expect(orders.sent.isEmpty)
        #expect(try orders.contents() == before)
        #expect(try orders.recordGrant(id, .granted, "2000") == .applied)
        #expect(try orders.order(id).state == .granted)
    }

    @Test func `is paid again by an update of a later transfer, of which an older store knows nothing`()
        throws
    {
        let id = try paid(isPlaced: true)
        try orders.release(id)
        try orders.update(id, by: nil, transferred: Transferred(count: 2, payerId: .ada))
        #expect(try orders.sent.bodies(PurchaseReportedV1.self).map(\.transfers) == [nil, 2])
        #expect(try orders.order(id).state == .paid)
    }

    @Test func `is not paid again by a proposal of what it has lost`() throws {
        let id = try paid(isPlaced: true)
        try orders.release(id)
        let before = try orders.contents()
        for candidate in [ClaimCandidate.order(id), .token(id.rawValue)] {
            try orders.propose(candidate, attempt: 2)
            #expect(try orders.only(ClaimRefusedV1.self).reason == .alreadyPaid)
        }
        #expect(try orders.contents() == before)
        #expect(try orders.pay(.caller(.ada)).orderId != id)
    }

    // MARK: What becomes of it

    @Test func `is looked up and expires as before`() throws {
        let issued = orders.now
        let id = try paid(isPlaced: true)
        #expect(try orders.gauge("orders_to_look_up") == 0)
        try orders.release(id)
        #expect(orders.workAt == issued.advanced(by: PaymentLookupSchedule.ages[0]))
        #expect(try orders.gauge("orders_to_look_up") == 1)
        orders.now = issued.advanced(by: OrdersHarness.expiry.age)
        _ = try orders.lookUpPayments()
        #expect(try orders.order(id).closeReason == .expired)
    }

    @Test(arguments: [0, 5])
    func `is due by the lookups that it has had`(lookups: Int) {
        let (issued, now) = (`an order`.now, `an order`.now.advanced(by: 1_000))
        let first = PaymentLookupSchedule(issuedAt: issued).dueAt
        for payment in `an order`.payments {
            let expected: Timestamp? =
                switch payment {
                case .issued, .deferred: lookups == 0 ? first : now
                case .closed: lookups == 0 ? first : nil
                case .paid, .void: nil
                }
            let order = `an order`.order(payment, .none)
            let next = PaymentLookupSchedule.nextLookup(of: order, after: lookups, now: now)
            #expect(next == expected)
        }
    }

    @Test func `is open again to who orders the same, and no unit of a limit`() throws {
        let id = try orders.issuePaid(.request(limit: 1))
        #expect(try orders.request(.request(key: "k-2", limit: 1)).refusal == .limitReached)
        try orders.release(id)
        #expect(try orders.request(.request(key: "k-2", onlyOne: true)).refusal?.order?.orderId == id)
        #expect(try orders.issue(.request(key: "k-3", limit: 1)).state == .issued)
    }

    @Test func `keeps its story, which is found by the purchase, too`() throws {
        let id = try orders.issue().orderId
        try orders.propose(.order(id), id: .event(1))
        try orders.update(id, .bought(signed: 200), by: nil, id: .event(2))
        try orders.recordGrant(id, .granted, id: .event(3))
        try orders.release(id, id: .event(4))
        #expect(orders.recorded == [4, 1, 2, 3].map { "\(id): \(EventID.event($0))" })
        let trace = try orders.trace("1000")
        #expect(trace.related == [id.rawValue, "1000"])
        #expect(trace.entries.map(\.type) == [OrderIssueV1.type.rawValue])
    }
}
