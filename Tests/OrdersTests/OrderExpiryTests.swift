import Contracts
import Domain
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

    /// What an order waits for, and when it expires by a setting of 73 hours, in hours from its issue.
    static let waits: [(OrderExpiry.Wait, Int64?)] = [
        (.issued, 73), (.deferred(since: at(10)), 730), (.deferred(since: at(100)), 820), (.closed, nil),
    ]

    private static func at(_ hours: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_760_000_000_000 + hours * hour)
    }

    @Test(arguments: 0...5, waits)
    func `follows its table`(lookups: Int, row: (wait: OrderExpiry.Wait, hours: Int64?)) {
        let (expiry, wait, end) = (OrderExpiry(hours: 73), row.wait, row.hours.map(Self.at))
        let schedule = PaymentLookupSchedule(issuedAt: Self.at(0), lookups: lookups)
        #expect(expiry.dueAt(schedule, wait) == (lookups < 5 ? schedule.dueAt : end))
        let last = end ?? Self.at(10_000)
        #expect(!expiry.isDue(schedule, wait, at: last.advanced(by: -1)))
        #expect(expiry.isDue(schedule, wait, at: last) == (lookups == 5 && end != nil))
    }

    @Test func `waits for an approval no shorter than for a payment`() {
        let schedule = PaymentLookupSchedule(issuedAt: Self.at(0), lookups: 5)
        let expiry = OrderExpiry(hours: 1_000)
        #expect(expiry.dueAt(schedule, .deferred(since: Self.at(10))) == Self.at(1_010))
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

    @Test(arguments: [1, 100])
    func `closes a deferred order 30 days after the phone's report, not a millisecond before`(
        hours: Int64
    ) throws {
        let id = try orders.issue().orderId
        _ = try pass(hours * Self.hour)
        try orders.report(id, .deferred)
        _ = try pass((hours + 1) * Self.hour)
        // Nobody tells of a refusal, and the phone's repeats put nothing off.
        try orders.report(id, .deferred)
        _ = try pass((hours + 720) * Self.hour - 1)
        #expect(try orders.order(id).state == .deferred)
        _ = try pass((hours + 720) * Self.hour)
        #expect(try orders.order(id).closeReason == .expired)
        #expect(try orders.due() == .init(items: [], next: nil))
    }

    @Test func `lets the buyer of a declined purchase order again`() throws {
        func request(_ key: String, onlyOne: Bool? = nil) -> OrderIssueV1 {
            var request = OrderIssueV1.request(key: key, onlyOne: onlyOne)
            request.issuedBy = .phone
            return request
        }
        for number in 0..<Limits.unpaidOrdersOfPhone {
            try orders.report(try orders.issue(request("k-\(number)")).orderId, .deferred)
        }
        _ = try pass(720 * Self.hour - 1)
        #expect(try orders.request(request("later")).refusal == .tooManyUnpaidOrders)
        _ = try pass(720 * Self.hour)
        #expect(try orders.issue(request("later", onlyOne: true)).state == .issued)
    }

    @Test(arguments: [false, true]) func `does not refuse a late payment`(isDeferred: Bool) throws {
        let id = try orders.issue().orderId
        if isDeferred { try orders.report(id, .deferred) }
        for age: Int64 in [72, 168, 720] { _ = try pass(age * Self.hour) }
        #expect(try orders.order(id).closeReason == .expired)
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
