import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `the story of an order` {
    let orders: OrdersHarness
    let order: OrderID

    /// The id of the n-th event.
    private static func event(_ number: Int) -> EventID {
        EventID(unchecked: String(repeating: "\(number)", count: 32))
    }

    /// An order that event 1 issued, 2 paid and 3 found granted.
    init() throws {
        orders = try OrdersHarness()
        let issue = try orders.handle(.request(), id: Self.event(1), OnOrderIssue().callAsFunction)
        order = try orders.reply(issue).orderId
        let proposal = ClaimProposedV1(attempt: 1, candidate: .order(order), transaction: .facts())
        _ = try orders.handle(proposal, id: Self.event(2), OnClaimProposed().callAsFunction)
        try settle(.granted, 3)
    }

    private func settle(_ outcome: GrantOutcome, _ number: Int) throws {
        let settled = GrantSettledV1(
            bundleId: .game,
            buyerId: .ada,
            orderId: order,
            purchaseId: PurchaseID(unchecked: "1000"),
            outcome: outcome
        )
        _ = try orders.handle(settled, id: Self.event(number), OnGrantSettled().callAsFunction)
    }

    @Test(arguments: 1...3) func `is found by every event that the row names`(number: Int) throws {
        let id = Self.event(number).rawValue
        let trace = try orders.database.write { try OrdersService().trace([id], in: $0) }
        #expect(trace.related == [order.rawValue, "1000"])
        #expect(trace.entries.map(\.id).contains(id))
    }

    @Test func `is not found by an event that has nothing to do with it`() throws {
        let id = Self.event(9).rawValue
        #expect(try orders.database.write { try OrdersService().trace([id], in: $0) } == Trace())
    }

    @Test func `keeps nothing beside the row the first time`() throws {
        #expect(orders.recorded.isEmpty)
        try orders.propose(.caller(.ada), .facts("2000"))
        #expect(orders.recorded.isEmpty)
    }

    @Test func `keeps what happens again, as the row does not take it up`() throws {
        try settle(.granted, 4)
        #expect(orders.recorded == ["\(order): \(Self.event(4))"])
        let restated = TransactionUpdatedV1(
            transaction: .facts(),
            buyerId: .ada,
            orderId: order,
            submission: nil
        )
        _ = try orders.handle(restated, id: Self.event(5), OnTransactionUpdated().callAsFunction)
        #expect(orders.recorded == ["\(order): \(Self.event(5))"])
        let proposal = ClaimProposedV1(attempt: 2, candidate: .order(order), transaction: .facts())
        _ = try orders.handle(proposal, id: Self.event(6), OnClaimProposed().callAsFunction)
        #expect(orders.recorded == ["\(order): \(Self.event(6))"])
    }

    @Test func `keeps the outcome before, when there is another one`() throws {
        try settle(.reversed, 4)
        #expect(orders.recorded == ["\(order): \(Self.event(3))"])
    }

    @Test func `keeps a claim that is refused with its transaction`() throws {
        let proposal = ClaimProposedV1(
            attempt: 1,
            candidate: .token("f47ac10b-58cc-4372-a567-0e02b2c3d479"),
            transaction: .facts("3000")
        )
        _ = try orders.handle(proposal, id: Self.event(7), OnClaimProposed().callAsFunction)
        #expect(orders.recorded == ["3000: \(Self.event(7))"])
    }
}
