import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `orders at the desk` {
    private let harness = OrdersHarness()

    private func find(_ text: String) throws -> FoundFacts {
        let question = FactsFindV1(texts: [text], bundleIds: [.game])
        return try #require(harness.handle(question, OnFactsFind().callAsFunction).reply)
    }

    private func open(
        after: DeskPage.Place? = nil,
        before: Timestamp? = nil,
        limit: Int = 50
    ) throws -> DeskPage {
        let question = DeskListV1(list: .open, before: before, after: after, limit: limit)
        return try #require(harness.handle(question, OnDeskList().callAsFunction).reply)
    }

    @Test func `are found by id, reference, buyer and the purchase that pays them`() throws {
        let order = try harness.issue(.request(reference: "shop-1")).orderId
        #expect(try find(order.rawValue).facts.map(\.kind) == [.ordered, .awaitsPayment])
        try harness.propose(.order(order), .bought("1000"))
        for text in [order.rawValue, "shop-1", BuyerID.ada.rawValue, "1000"] {
            let found = try find(text)
            #expect(found.facts.map(\.kind) == [.ordered, .paid, .awaitsLedger], "\(text)")
            #expect(found.facts[1].word == HolderEvidence.order.rawValue)
            #expect(Set(found.related).isSuperset(of: [order.rawValue, "1000"]))
        }
        #expect(try find("nobody").facts.isEmpty)
    }

    @Test func `that nobody has placed are told as made for their payment`() throws {
        try harness.propose(.caller(.ada), .bought("1000"))
        let facts = try find("1000").facts
        #expect(facts.map(\.kind) == [.orderMade, .paid, .awaitsLedger])
    }

    @Test func `of one buyer are found up to the newest 20, and the answer says where there are more`() throws
    {
        func issue(_ number: Int) throws -> OrderID {
            harness.now = harness.now.advanced(by: 1_000)
            return try harness.issue(.request(key: "key-\(number)")).orderId
        }
        func orders(_ found: FoundFacts) -> Set<OrderID> { Set(found.facts.compactMap(\.orderId)) }
        let first = try (0..<20).map(issue)
        let all = try find(BuyerID.ada.rawValue)
        #expect(orders(all) == Set(first) && !all.isCut)
        let last = try issue(20)
        let newest = try find(BuyerID.ada.rawValue)
        #expect(orders(newest) == Set(first.dropFirst() + [last]) && newest.isCut)
    }

    @Test func `are listed while something is awaited of them, the oldest first, page by page`() throws {
        var orders: [OrderID] = []
        for number in 0..<5 {
            harness.now = harness.now.advanced(by: 1_000)
            orders.append(try harness.issue(.request(key: "key-\(number)")).orderId)
        }
        try harness.propose(.order(orders[1]), .bought("1000"))
        #expect(try harness.recordGrant(orders[1], .granted) == .applied)
        try harness.propose(.order(orders[2]), .bought("1001"))
        var (kinds, after): ([DeskPage.Kind], DeskPage.Place?) = ([], nil)
        for _ in 0..<4 {
            let page = try open(after: after, limit: 1)
            kinds += page.rows.map(\.kind)
            after = page.rows.last?.place ?? after
            #expect(page.hasMore == (kinds.count < 4))
        }
        #expect(kinds == [.unpaid, .ungranted, .unpaid, .unpaid])
        let old = try open(before: harness.now.advanced(by: -2_500))
        #expect(old.rows.map(\.orderId) == [orders[0]])
    }

    @Test func `are found and listed by index`() throws {
        let question = DeskListV1(list: .open, before: harness.now, after: nil, limit: 50)
        let list = try harness.database.write { try $0.plan(of: OpenOrders.query(question)) }
        #expect(list == ["SEARCH orders USING INDEX orders_waiting (order_id>? AND order_id<?)"])
        let searches = [OrderFacts.byName("x"), OrderFacts.ofBuyer("x", in: .game)]
        for query in searches {
            let plan = try harness.database.write { try $0.plan(of: query) }
            #expect(plan.contains { $0.contains("INDEX orders_") }, "\(plan)")
            let isBare = plan.contains { $0.contains("SCAN orders") && !$0.contains("INDEX") }
            #expect(!isBare, "\(plan)")
        }
    }

    @Test func `are not asked for without end`() throws {
        let many = FactsFindV1(
            texts: Array(repeating: "x", count: FactsFindV1.maximumTexts + 1),
            bundleIds: []
        )
        #expect(try harness.handle(many, OnFactsFind().callAsFunction).reply == nil)
        let long = DeskListV1(list: .open, before: nil, after: nil, limit: 201)
        #expect(try harness.handle(long, OnDeskList().callAsFunction).reply == nil)
        let other = DeskListV1(list: .orphans, before: nil, after: nil, limit: 1)
        let page = try #require(harness.handle(other, OnDeskList().callAsFunction).reply)
        #expect(page.rows.isEmpty && !page.hasMore)
    }
}
