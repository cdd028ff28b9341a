import Contracts
import TestKit
import Testing

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
        order = try #require(issue.reply).orderId
        try orders.propose(.order(order), id: Self.event(2))
        try orders.recordGrant(order, .granted, id: Self.event(3))
    }

    @Test(arguments: 1...3) func `is found by every event that the row names`(number: Int) throws {
        let id = Self.event(number).rawValue
        let trace = try orders.trace(id)
        #expect(trace.related == [order.rawValue, "1000"])
        #expect(trace.entries.map(\.id).contains(id))
    }

    @Test func `is not found by an event that has nothing to do with it`() throws {
        #expect(try orders.trace(Self.event(9).rawValue) == Trace())
    }

    @Test func `keeps nothing beside the row the first time`() throws {
        #expect(orders.recorded.isEmpty)
        try orders.propose(.caller(.ada), .bought("2000"))
        #expect(orders.recorded.isEmpty)
    }

    @Test func `keeps what happens again, as the row does not take it up`() throws {
        try orders.recordGrant(order, .granted, id: Self.event(4))
        #expect(orders.recorded == ["\(order): \(Self.event(4))"])
        try orders.update(order, by: nil, id: Self.event(5))
        #expect(orders.recorded == ["\(order): \(Self.event(5))"])
        try orders.propose(.order(order), attempt: 2, id: Self.event(6))
        #expect(orders.recorded == ["\(order): \(Self.event(6))"])
    }

    @Test func `keeps the outcome before, when there is another one`() throws {
        try orders.recordGrant(order, .reversed, id: Self.event(4))
        #expect(orders.recorded == ["\(order): \(Self.event(3))"])
    }

    @Test func `keeps a claim that is refused with its transaction`() throws {
        let token = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
        try orders.propose(.token(token), .bought("3000"), id: Self.event(7))
        #expect(orders.recorded == ["3000: \(Self.event(7))"])
    }
}
