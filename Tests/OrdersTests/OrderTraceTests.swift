import Contracts
import TestKit
import Testing

@testable import Orders

@Suite struct `the story of an order` {
    let orders = OrdersHarness()
    let order: OrderID

    /// An order that event 1 issued, 2 paid and 3 found granted.
    init() throws {
        let issue = try orders.handle(.request(), id: .event(1), OnOrderIssue().callAsFunction)
        order = try #require(issue.reply).orderId
        try orders.propose(.order(order), id: .event(2))
        try orders.recordGrant(order, .granted, id: .event(3))
    }

    @Test(arguments: 1...3) func `is found by every event that the row names`(number: Int) throws {
        let id = EventID.event(number).rawValue
        let trace = try orders.trace(id)
        #expect(trace.related == [order.rawValue, "1000"])
        #expect(trace.entries.map(\.id).contains(id))
    }

    @Test func `is not found by an event that has nothing to do with it`() throws {
        #expect(try orders.trace(EventID.event(9).rawValue) == Trace())
    }

    @Test func `keeps nothing beside the row the first time`() throws {
        #expect(orders.recorded.isEmpty)
        try orders.propose(.caller(.ada), .bought("2000"))
        #expect(orders.recorded.isEmpty)
    }

    @Test func `keeps what happens again, as the row does not take it up`() throws {
        try orders.recordGrant(order, .granted, id: .event(4))
        #expect(orders.recorded == ["\(order): \(EventID.event(4))"])
        try orders.update(order, by: nil, id: .event(5))
        #expect(orders.recorded == ["\(order): \(EventID.event(5))"])
        try orders.propose(.order(order), attempt: 2, id: .event(6))
        #expect(orders.recorded == ["\(order): \(EventID.event(6))"])
    }

    @Test func `keeps the outcome before, when there is another one`() throws {
        try orders.recordGrant(order, .reversed, id: .event(4))
        #expect(orders.recorded == ["\(order): \(EventID.event(3))"])
    }

    @Test func `keeps a claim that is refused with its transaction`() throws {
        let token = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
        try orders.propose(.token(token), .bought("3000"), id: .event(7))
        #expect(orders.recorded == ["3000: \(EventID.event(7))"])
    }
}
