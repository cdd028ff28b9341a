import Contracts
import Database
import TestKit
import Testing

@testable import Orders

/// Somebody who has ordered more often than anybody should.
@Suite struct `a buyer with very many orders` {
    static let rare = ProductID(unchecked: "gems.5")

    let orders = OrdersHarness()

    /// Puts paid and granted orders of coins into the store, each newer than all others.
    private func pay(_ count: Int) throws {
        orders.now = orders.now.advanced(by: 1)
        let id = try orders.pay(.caller(.ada), .bought("c")).orderId
        try orders.recordGrant(id, .granted, "c")
        let columns = """
            bundle_id, buyer_id, product_id, quantity, environment, origin, issued_at, payment, unpaid_as, paid_at, \
            held_by, facts, signed_date, fulfilment, granted_at
            """
        let copies = """
            WITH RECURSIVE copy(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < ?)
            INSERT INTO orders (order_id, transaction_id, purchase_id, \(columns))
            SELECT substr(order_id, 1, 24) || printf('%012x', number), 'c' || number, 'c' || number, \(columns)
            FROM copy, orders WHERE order_id = ?
            """
        try orders.database.write { connection in
            _ = try connection.execute(copies, [.integer(Int64(count - 1)), .text(id.rawValue)])
        }
    }

    @Test func `finds what is open at once, however far back it is`() throws {
        let unpaid = try orders.issue(.request(product: Self.rare)).orderId
        let (week, day) = (ProductID(unchecked: "vip.week"), ProductID(unchecked: "vip.day"))
        let parked = try orders.pay(.caller(.ada), .bought("1", product: week.rawValue)).orderId
        try orders.recordGrant(parked, .parked, "1")
        let paid = try orders.pay(.caller(.ada), .bought("2", product: day.rawValue)).orderId
        try pay(OrderPage.examined + 5)
        let open: [OrderV1.State] = [.issued, .deferred, .paid, .parked]
        let page = try orders.list(open)
        #expect(page.orders.map(\.orderId) == [unpaid, parked, paid].sorted(by: >) && page.next == nil)
        for (product, order) in [(Self.rare, unpaid), (week, parked), (day, paid)] {
            let refusal = try orders.request(.request(key: "new", product: product, onlyOne: true)).refusal
            #expect(refusal?.order?.orderId == order)
        }
    }

    @Test func `finds what is rare page by page, on some of which there is nothing`() throws {
        let first = try orders.pay(.caller(.ada), .bought("1", product: Self.rare.rawValue)).orderId
        try pay(OrderPage.examined + 5)
        let empty = try orders.list(product: Self.rare)
        #expect(empty.orders.isEmpty)
        let next = try #require(empty.next)
        let page = try orders.list(product: Self.rare, after: next)
        #expect(page.orders.map(\.orderId) == [first] && page.next == nil)

        var (found, after): ([OrderID], OrderID?) = ([], nil)
        repeat {
            let page = try orders.list([.granted], after: after)
            (found, after) = (found + page.orders.map(\.orderId), page.next)
        } while after != nil
        #expect(found.count == OrderPage.examined + 5 && Set(found).count == found.count)
    }

    @Test func `has the payments counted that a limit concerns, however far back they are`() throws {
        let limited = try orders.issue(.request(product: Self.rare, limit: 3)).orderId
        try orders.propose(.order(limited), .bought("1", product: Self.rare.rawValue))
        try orders.propose(.caller(.ada), .bought("2", product: Self.rare.rawValue))
        try pay(OrderPage.examined + 5)
        let third = try orders.issue(.request(key: "k-2", product: Self.rare, limit: 3)).orderId
        try orders.propose(.order(third), .bought("3", product: Self.rare.rawValue))
        let fourth = OrderIssueV1.request(key: "k-3", product: Self.rare, limit: 3)
        #expect(try orders.request(fourth).refusal == .limitReached)
    }

    @Test func `is limited by what was paid before the product had a limit, too`() throws {
        _ = try orders.issuePaid()
        #expect(try orders.request(.request(key: "k-2", limit: 1)).refusal == .limitReached)
        #expect(try orders.issue(.request(key: "k-3", limit: 2)).state == .issued)
    }

    @Test func `is not limited by what somebody else paid for`() throws {
        let placed = try orders.issue().orderId
        let shared = TransactionFacts.facts().with(\.inAppOwnershipType, "FAMILY_SHARED")
        try orders.propose(.order(placed), shared)
        #expect(try orders.issue(.request(key: "k-2", limit: 1)).state == .issued)
    }

    static let place = OrderListQuery.place(.ada, .game, .production, .coins)
    static let queries: [(query: SQL, indexes: Set<String>)] = [
        (page([.issued, .paid], after: nil), ["orders_open", "orders_paid_ungranted"]),
        (page([.parked], after: last), ["orders_open", "orders_paid_ungranted"]),
        (OrderListQuery.unpaidOrders(of: .ada, in: .game), ["orders_open"]),
        (OrderListQuery.newestOpen(at: place), ["orders_open", "orders_paid_ungranted"]),
        (page(nil, after: last), ["orders_by_buyer"]), (page([.refunded], after: nil), ["orders_by_buyer"]),
        (OrderListQuery.limitedPayments(at: place, limit: 3), ["orders_limited"]),
        (OrderListQuery.otherPayments(at: place, downTo: last, limit: 3), ["orders_by_buyer"]),
        (OrderListQuery.lastExamined(of: .ada, in: .game), ["orders_by_buyer"]),
        (OrderListQuery.lastExamined(of: .ada, in: .game, after: last), ["orders_by_buyer"]),
    ]

    private static let last = OrderID(time: Timestamp(milliseconds: 1), shard: Shard(rawValue: 1), random: 1)

    private static func page(_ states: [OrderV1.State]?, after: OrderID?) -> SQL {
        let request = OrdersListV1(
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            states: states,
            after: after,
            limit: 50
        )
        do {
            let page = try OrderPage(request)
            return OrderListQuery.orders(of: page, downTo: page.isOfOpenOrders ? nil : last)
        } catch {
            return "no page"
        }
    }

    @Test(arguments: queries.indices)
    func `is read by small indexes, or for a bounded part`(number: Int) throws {
        let (query, indexes) = Self.queries[number]
        let plan = try orders.database.write { try $0.plan(of: query) }
        let searches = plan.filter { $0.contains("orders") }
        #expect(searches.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
        let used = Set(
            searches.compactMap { $0.split(separator: "INDEX ").last?.split(separator: " ").first }
        )
        #expect(used.subtracting(["sqlite_autoindex_orders_1"]) == Set(indexes.map { Substring($0) }))
    }

    @Test func `costs no index more when an ordinary order is paid and granted`() throws {
        let id = try orders.issue().orderId
        func entries(_ condition: String) throws -> Int {
            try orders.rows("SELECT 1 FROM orders WHERE \(condition)").count
        }
        let conditions = [OrderStore.isAwaited, OrderStore.isUngranted, OrderStore.isLimited]
        #expect(try conditions.map(entries) == [1, 0, 0])
        try orders.propose(.token(id.rawValue))
        #expect(try conditions.map(entries) == [0, 1, 0])
        try orders.recordGrant(id, .granted)
        #expect(try conditions.map(entries) == [0, 0, 0])
    }
}
