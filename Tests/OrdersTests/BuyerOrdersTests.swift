import Contracts
import TestKit
import Testing

@testable import Orders

@Suite struct `a buyer's orders` {
    let orders = OrdersHarness()

    /// Issues an order a second after the one before.
    private func issue(_ number: Int, _ product: ProductID = .coins) throws -> OrderID {
        orders.now = orders.now.advanced(by: 1_000)
        return try orders.issue(.request(key: "k-\(number)", product: product)).orderId
    }

    @Test func `are listed newest first, page by page, each once`() throws {
        let ids = try (0..<7).map { try issue($0) }
        _ = try orders.issue(.request(buyer: .eve))
        _ = try orders.issue(.request(app: .otherApp))
        _ = try orders.issue(.request(key: "sandbox", environment: .sandbox))
        var (found, after, pages): ([OrderID], OrderID?, Int) = ([], nil, 0)
        repeat {
            let page = try orders.list(after: after, limit: 3)
            (found, after, pages) = (found + page.orders.map(\.orderId), page.next, pages + 1)
        } while after != nil
        #expect(found == ids.reversed() && pages == 3)
        #expect(try orders.list(limit: 7).next == nil)
        #expect(try orders.list(environment: .sandbox).orders.count == 1)
    }

    @Test func `are found by each of their states, by several, and by product`() throws {
        let ids = try (0..<8).map { try issue($0, $0 == 7 ? ProductID(unchecked: "gems.5") : .coins) }
        try orders.report(ids[1], .deferred)
        try orders.close(ids[2])
        for (number, outcome) in [(3, nil), (4, .granted), (5, .reversed), (6, .parked)]
            as [(Int, GrantOutcome?)]
        {
            try orders.propose(.order(ids[number]), .bought("\(number)"))
            if let outcome { try orders.recordGrant(ids[number], outcome, "\(number)") }
        }
        let states: [OrderV1.State] = [.issued, .deferred, .closed, .paid, .granted, .refunded, .parked]
        for (number, state) in states.enumerated() {
            let found = try orders.list([state], product: .coins).orders
            #expect(found.map(\.orderId) == [ids[number]] && found.map(\.state) == [state])
        }
        let void = try orders.pay(.holder(.ada), .bought("9")).orderId
        try orders.release(void, "9")
        #expect(try orders.list([.void]).orders.map(\.orderId) == [void])
        let open = try orders.list(OrderV1.State.allCases.filter(OrderV1.State.open.contains))
        #expect(open.orders.map(\.orderId) == [7, 6, 3, 1, 0].map { ids[$0] })
        #expect(try orders.list(product: ProductID(unchecked: "gems.5")).orders.map(\.orderId) == [ids[7]])
        #expect(try orders.list([]).orders.isEmpty)
    }

    @Test(arguments: [0, 101]) func `are listed up to 100 at a time`(limit: Int) throws {
        let list = OrdersListV1(bundleId: .game, buyerId: .ada, environment: .production, limit: limit)
        #expect(try orders.handle(list, OnOrdersList().callAsFunction).refusal == .pageLimit)
    }
}

@Suite struct `a further order` {
    let orders = OrdersHarness()

    @Test(arguments: OrderV1.State.allCases)
    func `of a product is refused with onlyOne while one is open, which comes with the refusal`(
        state: OrderV1.State
    ) throws {
        var first = try orders.issue(.request(key: "key-1", onlyOne: true)).orderId
        switch state {
        case .issued: break
        case .deferred: try orders.report(first, .deferred)
        case .closed: try orders.close(first)
        case .paid, .granted, .refunded, .parked:
            try orders.propose(.order(first))
            let outcomes: [OrderV1.State: GrantOutcome] = [
                .granted: .granted, .refunded: .reversed, .parked: .parked,
            ]
            if let outcome = outcomes[state] { try orders.recordGrant(first, outcome) }
        case .void:
            try orders.close(first)
            first = try orders.pay(.caller(.ada)).orderId
            try orders.release(first)
        }
        let order = try orders.order(first)
        #expect(order.state == state)
        let again = try orders.request(.request(key: "key-2", onlyOne: true))
        if OrderV1.State.open.contains(state) {
            #expect(again.refusal?.reason == "openOrder" && again.refusal?.order == order)
            #expect(try orders.contents().count == 1)
            #expect(try orders.issue(.request(key: "key-2")).orderId != first, "who asks for two gets two")
        } else {
            #expect(again.reply?.state == .issued)
        }
    }

    @Test func `is none under the same key, and another product, buyer or environment has its own`() throws {
        let first = try orders.issue(.request(onlyOne: true))
        #expect(try orders.issue(.request(onlyOne: true)) == first)
        for request in [
            OrderIssueV1.request(key: "k-2", product: ProductID(unchecked: "gems.5"), onlyOne: true),
            .request(buyer: .eve, onlyOne: true), .request(app: .otherApp, onlyOne: true),
            .request(key: "k-3", environment: .sandbox, onlyOne: true),
        ] {
            #expect(try orders.issue(request).orderId != first.orderId)
        }
        let other = OrderIssueV1.request(product: ProductID(unchecked: "x"), onlyOne: true)
        #expect(try orders.request(other).refusal == .keyReused)
    }

    @Test func `is refused when it exceeds the limit with what is paid and not refunded`() throws {
        let first = try orders.issue(.request(key: "key-1", limit: 2)).orderId
        let second = try orders.issue(.request(key: "key-2", limit: 2)).orderId
        let third = try orders.issue(.request(key: "key-3", limit: 2)).orderId
        try orders.propose(.order(first), .bought("1"))
        try orders.propose(.order(second), .bought("2"))
        #expect(try orders.request(.request(key: "key-4", limit: 2)).refusal == .limitReached)
        let repeated = try orders.issue(.request(key: "key-1", limit: 2)).orderId
        #expect(repeated == first, "a repeated key is no new order")
        #expect(try orders.issue(.request(key: "key-4", limit: 3)).overLimit == nil)

        let over = try orders.pay(.order(third), .bought("3"))
        #expect(over.state == .paid && over.overLimit == true, "a payment is granted all the same")
        #expect(try orders.only(PurchaseReportedV1.self).order.orderId == third)
        #expect(try orders.order(second).overLimit == nil)
        let again = try orders.pay(.token(first.rawValue), .bought("4"))
        #expect(again.orderId != first && again.overLimit == true, "a token may pay more than once")

        for (order, transaction) in [(second, "2"), (third, "3"), (again.orderId, "4")] {
            try orders.recordGrant(order, .reversed, transaction)
        }
        #expect(try orders.issue(.request(key: "key-5", limit: 2)).state == .issued, "refunds make room")
    }

    @Test func `counts the units of the payments, not of the orders`() throws {
        let order = try orders.issue(.request(key: "key-1", limit: 3)).orderId
        try orders.propose(.order(order), .bought("1", quantity: 3))
        #expect(try orders.request(.request(key: "key-2", limit: 3)).refusal == .limitReached)
    }

    @Test func `is refused when its product is not on sale, but not a repeated request`() throws {
        #expect(try orders.request(.request(onSale: false)).refusal == .notOnSale)
        #expect(try orders.contents().isEmpty)
        let order = try orders.issue()
        #expect(try orders.issue(.request(onSale: false)) == order)
    }

    @Test(arguments: [0, -1]) func `has no limit below one`(limit: Int) throws {
        #expect(try orders.request(.request(limit: limit)).refusal == .limit)
    }
}
