import Contracts
import TestKit
import Testing

@testable import Delivery

@Suite struct `what follows a payment` {
    let orders = OrdersHarness()

    @Test(arguments: GrantOutcome.allCases)
    func `the order follows the ledger, and twice is once`(outcome: GrantOutcome) throws {
        let id = try orders.issuePaid()
        #expect(try orders.recordGrant(id, outcome) == .applied)
        let state = outcome == .reversed ? "refunded" : outcome.rawValue
        #expect(try orders.order(id).state.rawValue == state)
        let before = try orders.contents()
        orders.now = orders.now.advanced(by: 1_000)
        #expect(try orders.recordGrant(id, outcome) == .applied)
        #expect(try orders.contents() == before)
    }

    @Test func `a refund after the grant takes the order back, its reversal restores it`() throws {
        let id = try orders.issuePaid()
        let outcomes: [GrantOutcome] = [.granted, .reversed, .granted]
        let states = try outcomes.map { outcome in
            orders.now = orders.now.advanced(by: 1_000)
            try orders.recordGrant(id, outcome)
            return try orders.order(id).state
        }
        #expect(states == [.granted, .refunded, .granted])
        #expect(try orders.order(id).grantedAt == Timestamp(milliseconds: 1_760_000_001_000))
    }

    @Test func `an outcome for a payment that is not known here is kept for the operator`() throws {
        let unpaid = try orders.issue().orderId
        #expect(try orders.recordGrant(unpaid, .granted) == .deadLettered("unpaid"))
        #expect(try orders.recordGrant(.elsewhere(), .granted) == .deadLettered("unknownOrder"))
        try orders.propose(.token(unpaid.rawValue))
        #expect(try orders.recordGrant(unpaid, .granted, "2000") == .deadLettered("paidByAnother"))
        #expect(try orders.order(unpaid).state == .paid)
    }

    @Test func `a restated transaction goes on to the ledger whatever the order says`() throws {
        let id = try orders.issuePaid()
        for outcome in [nil] + GrantOutcome.allCases.map(Optional.some) {
            if let outcome { try orders.recordGrant(id, outcome) }
            let before = try orders.contents()
            try orders.update(id)
            #expect(orders.sent.map(\.type) == [PurchaseReportedV1.type])
            #expect(try orders.only(PurchaseReportedV1.self).submission == .submission())
            #expect(try orders.contents() == before)
        }
    }

    @Test func `a refund carries the order's terms and is remembered`() throws {
        let id = try orders.issuePaid(.request(reference: "R-1"))
        let refunded = TransactionFacts.bought(refunded: 100_000)
        try orders.update(id, refunded, by: nil)
        let grant = try orders.only(PurchaseReportedV1.self)
        #expect(grant.order.reference == "R-1" && grant.transaction == refunded)
        try orders.redrive(to: .ofAda(.entitlements))
        #expect(try orders.only(PurchaseReportedV1.self).transaction == refunded)
    }

    @Test func `a store that is an older copy learns its payments again`() throws {
        let forgotten = OrderID.elsewhere()
        try orders.update(forgotten)
        #expect(try orders.only(PurchaseReportedV1.self).order.orderId == forgotten)
        #expect(try orders.order(forgotten).state == .paid)

        let unpaid = try orders.issue().orderId
        try orders.update(unpaid, .bought("2000"))
        #expect(try orders.order(unpaid).transactionId?.rawValue == "2000")
        let before = try orders.contents()
        try orders.update(forgotten)
        try orders.update(unpaid, .bought("2000"))
        #expect(try orders.contents() == before)
    }

    @Test func `a claim whose order another purchase has paid here gets an order of its own, and is told`()
        throws
    {
        let id = try orders.issuePaid()
        try orders.update(id, .bought("9000"))
        let held = try #require(try orders.sent.bodies(ClaimHeldV1.self).first)
        #expect(held.orderId != id && held.buyerId == .ada)
        #expect(try orders.sent.bodies(PurchaseReportedV1.self).map(\.order.orderId) == [held.orderId])
        #expect(try orders.order(held.orderId).transactionId?.rawValue == "9000")
        let before = try orders.contents()
        try orders.update(id, .bought("9000"))
        #expect(try orders.sent.bodies(ClaimHeldV1.self).map(\.orderId) == [held.orderId])
        #expect(try orders.contents() == before)
    }
}
