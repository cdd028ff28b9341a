import Contracts
import TestKit
import Testing

@testable import Orders

@Suite struct `a report of StoreKit` {
    static let error = ReportedError(domain: "SKErrorDomain", code: "2")

    let orders = OrdersHarness()
    let id: OrderID

    init() throws { id = try orders.issue().orderId }

    @Test(arguments: OrderReportV1.Outcome.allCases)
    func `changes an unpaid order, keeps what the phone said, and twice is once`(
        outcome: OrderReportV1.Outcome
    ) throws {
        let reported = try orders.report(id, outcome, Self.error)
        #expect(reported.state == (outcome == .deferred ? .deferred : .closed))
        #expect(reported.closeReason?.rawValue == (outcome == .deferred ? nil : outcome.rawValue))
        #expect(reported.error == Self.error)
        let rows = try orders.contents()
        orders.now = orders.now.advanced(by: 1_000)
        #expect(try orders.report(id, outcome, nil) == reported)
        #expect(try orders.contents() == rows)
        #expect(try orders.order(id) == reported)
    }

    @Test(arguments: OrderReportV1.Outcome.allCases)
    func `does not change a paid order, and is answered with it`(outcome: OrderReportV1.Outcome) throws {
        try orders.propose(.token(id.rawValue))
        try orders.recordGrant(id, .granted)
        let (order, rows) = (try orders.order(id), try orders.contents())
        #expect(try orders.report(id, outcome, Self.error) == order)
        #expect(try orders.contents() == rows)
    }

    @Test func `that a payment waits for approval does not make the payment late`() throws {
        try orders.report(id, .deferred)
        let paid = try orders.pay(.caller(.ada))
        #expect(paid.orderId == id && paid.state == .paid && paid.late == nil, "a deferred order is open")
    }

    @Test func `of failure closes an order, which a late payment reopens`() throws {
        try orders.report(id, .deferred)
        try orders.report(id, .failed, Self.error)
        let paid = try orders.pay(.token(id.rawValue))
        #expect(paid.orderId == id && paid.late == true && paid.error == Self.error)
    }

    @Test func `that comes after the closing opens nothing`() throws {
        let closed = try orders.close(id, .superseded)
        #expect(try orders.report(id, .deferred, Self.error) == closed)
    }

    @Test func `on another app's order finds none, and one with endless text is refused by name`() throws {
        func refusal(_ error: ReportedError?, app: BundleID = .game) throws -> RequestRefusal? {
            let report = OrderReportV1(bundleId: app, orderId: id, outcome: .failed, error: error)
            return try orders.handle(report, OnOrderReport().callAsFunction).refusal
        }
        let before = try orders.contents()
        #expect(try refusal(nil, app: .otherApp) == .noSuchOrder)
        let long = String(repeating: "x", count: 129)
        #expect(try refusal(ReportedError(domain: long, code: nil)) == .errorDomain)
        #expect(try refusal(ReportedError(domain: nil, code: long)) == .errorCode)
        #expect(try orders.contents() == before)
    }

    @Test func `is in the order's story, the one before it, too`() throws {
        try orders.report(id, .deferred, event: .event(1))
        #expect(orders.recorded.isEmpty)
        #expect(try orders.trace(id.rawValue).entries.map(\.id).contains(EventID.event(1).rawValue))
        try orders.report(id, .cancelled, event: .event(2))
        #expect(orders.recorded == ["\(id): \(EventID.event(1))"])
        #expect(try orders.trace(id.rawValue).entries.map(\.id).contains(EventID.event(2).rawValue))
    }
}
