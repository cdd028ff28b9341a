import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `orders that phones issue` {
    let orders = OrdersHarness()

    private func request(_ number: Int, product: ProductID = .coins) -> OrderIssueV1 {
        var request = OrderIssueV1.request(key: "phone-\(number)", product: product)
        request.issuedBy = .phone
        return request
    }

    @Test func `an order says that a phone issued it, and so do its goods`() throws {
        var wanted = request(1)
        wanted.metadata = ["level": .integer(99)]
        let order = try orders.issue(wanted)
        #expect(order.issuedBy == .phone)
        #expect(try orders.order(order.orderId) == order)
        try orders.propose(.order(order.orderId))
        let report = try orders.only(PurchaseReportedV1.self)
        #expect(report.order.issuedBy == .phone && report.order.metadata == wanted.metadata)
        #expect(try orders.issue(.request(key: "server")).issuedBy == nil)
    }

    @Test func `a phone names no reference`() throws {
        var named = request(1)
        named.reference = "R-1"
        #expect(try orders.request(named).refusal == .referenceOfPhone)
        #expect(try orders.contents().isEmpty)
    }

    @Test func `a buyer's phones have fifty unpaid orders at most, whatever the products; repeats are none`()
        throws
    {
        for number in 0..<Limits.unpaidOrdersOfPhone {
            let product: ProductID = number.isMultiple(of: 2) ? .coins : ProductID(unchecked: "gems.5")
            _ = try orders.issue(request(number, product: product))
        }
        let first = try orders.issue(request(0))
        #expect(try orders.request(request(50)).refusal == .tooManyUnpaidOrders)
        #expect(try orders.contents().count == Limits.unpaidOrdersOfPhone)
        #expect(try orders.issue(.request(key: "server")).state == .issued, "a server may")
        var others = request(50)
        others.buyerId = .eve
        #expect(try orders.issue(others).state == .issued)
        let close = OrderCloseV1(bundleId: .game, orderId: first.orderId, reason: .cancelled)
        #expect(try orders.request(close).reply?.state == .closed)
        let refusal = try orders.request(request(50)).refusal
        #expect(refusal == .tooManyUnpaidOrders, "the server's is unpaid, too")
    }

    @Test func `a paid order counts no more`() throws {
        for number in 0..<Limits.unpaidOrdersOfPhone { _ = try orders.issue(request(number)) }
        let paid = try orders.issue(request(7))
        try orders.propose(.order(paid.orderId))
        #expect(try orders.issue(request(50)).state == .issued)
    }

    @Test func `a phone that issues and closes without end is stopped, and what is read is limited`() throws {
        for number in 0..<OrderListQuery.mostAwaited {
            let order = try orders.issue(request(number)).orderId
            let close = OrderCloseV1(bundleId: .game, orderId: order, reason: .cancelled)
            #expect(try orders.request(close).reply?.state == .closed)
        }
        #expect(try orders.request(request(-1)).refusal == .tooManyUnpaidOrders)
    }

    @Test func `another buyer's order is not there for whoever asks for one buyer's`() throws {
        let order = try orders.issue().orderId
        let before = try orders.contents()
        let get = OrderGetV1(bundleId: .game, orderId: order, buyerId: .eve)
        #expect(try orders.request(get).refusal == .noSuchOrder)
        let close = OrderCloseV1(bundleId: .game, orderId: order, reason: .cancelled, buyerId: .eve)
        #expect(try orders.request(close).refusal == .noSuchOrder)
        let report = OrderReportV1(bundleId: .game, orderId: order, outcome: .failed, buyerId: .eve)
        #expect(try orders.handle(report, OnOrderReport().callAsFunction).refusal == .noSuchOrder)
        #expect(try orders.contents() == before)
        let own = OrderGetV1(bundleId: .game, orderId: order, buyerId: .ada)
        #expect(try orders.request(own).reply?.orderId == order)
    }
}
