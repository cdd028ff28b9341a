import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `what follows a payment` {
    let orders: OrdersHarness

    init() throws { orders = try OrdersHarness() }

    private func paidOrder() throws -> OrderID {
        let id = try orders.issue().orderId
        try orders.propose(.token(id.rawValue))
        return id
    }

    private func restate(
        _ order: OrderID,
        _ facts: TransactionFacts = .facts(),
        by submitter: BuyerID? = .ada
    ) throws {
        let message = TransactionUpdatedV1(
            transaction: facts,
            buyerId: .ada,
            orderId: order,
            submission: submitter.map { .submission(by: $0) }
        )
        #expect(try orders.handle(message, OnTransactionUpdated().callAsFunction) == .applied)
    }

    @Test(arguments: GrantOutcome.allCases)
    func `the order follows the ledger, and twice is once`(outcome: GrantOutcome) throws {
        let id = try paidOrder()
        #expect(try orders.settle(id, outcome) == .applied)
        #expect(try orders.order(id).state.rawValue == outcome.rawValue)
        let before = try orders.rows(of: "orders")
        orders.now = orders.now.advanced(by: 1_000)
        #expect(try orders.settle(id, outcome) == .applied)
        #expect(try orders.rows(of: "orders") == before)
    }

    @Test func `a refund after the grant takes the order back, its reversal restores it`() throws {
        let id = try paidOrder()
        let outcomes: [GrantOutcome] = [.granted, .reversed, .granted]
        let states = try outcomes.map { outcome in
            orders.now = orders.now.advanced(by: 1_000)
            _ = try orders.settle(id, outcome)
            return try orders.order(id).state
        }
        #expect(states == [.granted, .reversed, .granted])
        #expect(try orders.order(id).grantedAt == Timestamp(milliseconds: 1_760_000_001_000))
    }

    @Test func `an outcome for a payment that is not known here is kept for the operator`() throws {
        let unpaid = try orders.issue().orderId
        #expect(try orders.settle(unpaid, .granted) == .parked("unpaid"))
        let unknown = OrderID(time: orders.now, shard: Shard(rawValue: 1), random: 99)
        #expect(try orders.settle(unknown, .granted) == .parked("unknownOrder"))
        try orders.propose(.token(unpaid.rawValue))
        #expect(try orders.settle(unpaid, .granted, "2000") == .parked("paidByAnother"))
        #expect(try orders.order(unpaid).state == .paid)
    }

    @Test func `a restated transaction goes on to the ledger whatever the order says`() throws {
        let id = try paidOrder()
        for outcome in [nil] + GrantOutcome.allCases.map(Optional.some) {
            if let outcome { _ = try orders.settle(id, outcome) }
            let before = try orders.rows(of: "orders")
            try restate(id)
            #expect(orders.sent.map(\.type) == [GrantRequestedV1.type])
            #expect(try orders.only(GrantRequestedV1.self).submission == .submission())
            #expect(try orders.rows(of: "orders") == before)
        }
    }

    @Test func `a refund carries the order's terms and is remembered`() throws {
        let id = try orders.issue(.request(reference: "R-1")).orderId
        try orders.propose(.token(id.rawValue))
        var refunded = TransactionFacts.facts()
        refunded.revocationDate = Timestamp(milliseconds: 1_760_000_000_450)
        try restate(id, refunded, by: nil)
        let grant = try orders.only(GrantRequestedV1.self)
        #expect(grant.order.reference == "R-1" && grant.transaction == refunded)
        try orders.transact { _ = try OrdersService().redrive(to: $0.ledger, after: [], in: &$0) }
        #expect(try orders.only(GrantRequestedV1.self).transaction == refunded)
    }

    @Test func `a store that is an older copy learns its payments again`() throws {
        let forgotten = OrderID(time: orders.now, shard: Shard(rawValue: 1), random: 5)
        try restate(forgotten)
        #expect(try orders.only(GrantRequestedV1.self).order.orderId == forgotten)
        #expect(try orders.order(forgotten).state == .paid)

        let unpaid = try orders.issue().orderId
        try restate(unpaid, .facts("2000"))
        #expect(try orders.order(unpaid).transactionId?.rawValue == "2000")
        let before = try orders.rows(of: "orders")
        try restate(forgotten)
        try restate(unpaid, .facts("2000"))
        #expect(try orders.rows(of: "orders") == before)
    }

    @Test func `a claim that contradicts an order changes nothing here and is forwarded all the same`() throws
    {
        let id = try paidOrder()
        let before = try orders.rows(of: "orders")
        try restate(id, .facts("9000"))
        let grant = try orders.only(GrantRequestedV1.self)
        #expect(grant.order == OrderTerms(orderId: id) && grant.buyerId == .ada)
        #expect(try orders.rows(of: "orders") == before)
    }
}
