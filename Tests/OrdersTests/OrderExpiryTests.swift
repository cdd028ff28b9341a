import Contracts
import TestKit
import Testing

@testable import Orders

@Suite struct `the expiry of an order` {
    static let hour: Int64 = 3_600_000

    let orders = OrdersHarness()
    let issued: Timestamp

    init() { issued = orders.now }

    /// Lets a timer do what is due `age` after the first issue; returns what Receipts is asked.
    private func pass(_ age: Int64, hours: Int = 168) throws -> [PaymentLookupV1] {
        orders.now = issued.advanced(by: age)
        return try orders.lookUpPayments(OrderExpiry(hours: hours)).bodies(PaymentLookupV1.self)
    }

    @Test(arguments: 0...5, [false, true])
    func `follows its table`(lookups: Int, isIssued: Bool) {
        let expiry = OrderExpiry(hours: 73)
        let schedule = PaymentLookupSchedule(issuedAt: issued, lookups: lookups)
        let end = issued.advanced(by: 73 * Self.hour)
        let dueAt = expiry.dueAt(schedule, isIssued: isIssued)
        #expect(dueAt == (lookups < 5 ? schedule.dueAt : isIssued ? end : nil))
        #expect(!expiry.isDue(schedule, isIssued: isIssued, at: end.advanced(by: -1)))
        #expect(expiry.isDue(schedule, isIssued: isIssued, at: end) == (lookups == 5 && isIssued))
    }

    @Test func `closes what nobody pays after its hours, not a millisecond before`() throws {
        let id = try orders.issue().orderId
        _ = try pass(72 * Self.hour)
        _ = try pass(168 * Self.hour - 1)
        #expect(try orders.order(id).state == .issued)
        _ = try pass(168 * Self.hour)
        let order = try orders.order(id)
        #expect(order.state == .closed && order.closeReason == .expired)
        #expect(try orders.due() == .init(items: [], next: nil))
    }

    @Test func `comes after the last question to Apple, even when no timer ran for a long time`() throws {
        try orders.propose(.caller(.ada), .bought("1000", product: "coins.500"))
        let id = try orders.issue().orderId
        #expect(try pass(1_000 * Self.hour).count == 1, "asked first, then closed")
        #expect(try orders.order(id).closeReason == .expired)
    }

    @Test func `asks Apple nothing`() throws {
        try orders.propose(.caller(.ada), .bought("1000", product: "coins.500"))
        _ = try orders.issue()
        _ = try pass(72 * Self.hour)
        orders.now = issued.advanced(by: 100 * Self.hour)
        _ = try orders.issue(.request(key: "later"))
        _ = try pass(167 * Self.hour)
        #expect(try pass(168 * Self.hour).isEmpty, "the later order is not due")
    }

    @Test(arguments: [1, 100]) func `spares a deferred order`(hours: Int64) throws {
        let id = try orders.issue().orderId
        _ = try pass(hours * Self.hour)
        try orders.report(id, .deferred)
        _ = try pass(10_000 * Self.hour)
        #expect(try orders.order(id).state == .deferred)
        #expect(try orders.due() == .init(items: [], next: nil))
    }

    @Test func `does not refuse a late payment`() throws {
        let id = try orders.issue().orderId
        for age: Int64 in [72, 168] { _ = try pass(age * Self.hour) }
        let paid = try orders.pay(.token(id.rawValue))
        #expect(paid.orderId == id && paid.state == .paid && paid.late == true)
    }

    @Test func `follows a changed setting, and holds up no other order`() throws {
        try orders.propose(.caller(.ada), .bought("1000", product: "coins.500"))
        for number in 0..<40 { _ = try orders.issue(.request(key: "old-\(number)")) }
        _ = try pass(72 * Self.hour, hours: 73)
        #expect(try pass(73 * Self.hour).isEmpty)
        #expect(try orders.due() == .init(items: [], next: issued.advanced(by: 168 * Self.hour)))
        _ = try orders.issue(.request(key: "new"))
        #expect(try pass(73 * Self.hour + 600_000).count == 1, "the new order's question is asked")
    }

    @Test func `takes orders of one buyer minutes apart, also when the age was lowered`() throws {
        let first = try orders.issue().orderId
        orders.now = issued.advanced(by: 180_000)
        let second = try orders.issue(.request(key: "second")).orderId
        _ = try pass(72 * Self.hour + 180_000)
        _ = try pass(168 * Self.hour, hours: 73)
        #expect(try [first, second].map { try orders.order($0).closeReason } == [.expired, .expired])
    }
}
