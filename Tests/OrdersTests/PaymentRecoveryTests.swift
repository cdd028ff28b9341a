import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `an order that nobody pays` {
    static let minute: Int64 = 60_000
    static let hour = 60 * minute

    let orders: OrdersHarness
    let issued: Timestamp

    init() throws {
        orders = try OrdersHarness()
        issued = orders.now
    }

    /// Lets Ada pay once before, without an order.
    private func pay(
        _ transaction: String = "1000",
        of buyer: BuyerID = .ada,
        _ environment: Environment = .production
    ) throws {
        try orders.propose(
            .caller(buyer),
            .facts(transaction, product: ProductID(unchecked: "coins.500"), environment: environment)
        )
    }

    private func rechecks(_ id: OrderID) throws -> Int {
        try orders.database.write { connection in
            try connection.value("SELECT rechecks FROM orders WHERE order_id = \(id)")
                ?? -1
        }
    }

    @Test func `has Apple asked about its buyer 10 minutes after its issue, by the transaction paid last`()
        throws
    {
        try pay("3000")
        orders.now = orders.now.advanced(by: 1)
        try pay("2000")
        let order = try orders.issue()
        orders.now = order.createdAt.advanced(by: 10 * Self.minute - 1)
        #expect(try orders.recheck().isEmpty)
        orders.now = orders.now.advanced(by: 1)
        let sought = PaymentRecoveryV1(
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            transactionId: TransactionID(unchecked: "2000"),
            since: order.createdAt
        )
        let told = try orders.recheck()
        #expect(try told.map { try $0.decoded(PaymentRecoveryV1.self).data } == [sought])
        let shard = PartitionKey.buyer(.ada, of: .game).shard
        #expect(told.first?.to == PartitionAddress(.receipts, shard.partition(of: orders.partitions)))
        #expect(told.first?.subject == "com.example.game/ada")
    }

    @Test func `is asked about five times, later and later, and then never again`() throws {
        try pay()
        _ = try orders.issue()
        var ages: [Int64] = []
        while let next = try orders.due().next {
            orders.now = next
            #expect(try orders.recheck().count == 1)
            ages.append(next.milliseconds - issued.milliseconds)
        }
        #expect(ages == [10 * Self.minute, Self.hour, 6 * Self.hour, 24 * Self.hour, 72 * Self.hour])
        orders.now = orders.now.advanced(by: 10_000 * Self.hour)
        #expect(try orders.recheck().isEmpty)
    }

    @Test func `is put off in the same steps while no transaction of its buyer is known`() throws {
        let order = try orders.issue().orderId
        for (step, age) in [10 * Self.minute, Self.hour].enumerated() {
            orders.now = issued.advanced(by: age)
            #expect(try orders.recheck().isEmpty)
            #expect(try rechecks(order) == step + 1)
        }
        try pay()
        #expect(try orders.due().next == issued.advanced(by: 6 * Self.hour))
        orders.now = issued.advanced(by: 6 * Self.hour)
        #expect(try orders.recheck().count == 1)
    }

    @Test func `shares its question with the buyer's other orders, which reaches back to the oldest`() throws
    {
        try pay()
        for number in 0..<5 {
            orders.now = issued.advanced(by: Int64(number) * Self.minute)
            _ = try orders.issue(.request(key: "k-\(number)"))
        }
        for age in RecheckSchedule.ages {
            // The last of the orders comes to this age 4 minutes after the first.
            var since: [Timestamp] = []
            for number in 0..<5 {
                orders.now = issued.advanced(by: age + Int64(number) * Self.minute)
                since += try orders.recheck().map { try $0.decoded(PaymentRecoveryV1.self).data.since }
            }
            #expect(since == [issued], "once, from the issue of the oldest")
        }
        #expect(try orders.due().next == nil)
    }

    @Test func `is not asked about for the sake of orders that are not rechecked any more`() throws {
        try pay()
        _ = try orders.issue()
        orders.now = issued.advanced(by: 100 * Self.hour)
        #expect(try orders.recheck().count == 1)
        let later = try orders.issue(.request(key: "later"))
        orders.now = orders.now.advanced(by: 10 * Self.minute)
        let since = try orders.recheck().map { try $0.decoded(PaymentRecoveryV1.self).data.since }
        #expect(since == [later.createdAt])
    }

    @Test(arguments: ["buyer", "environment"])
    func `is not asked about by a transaction of another`(stranger: String) throws {
        switch stranger {
        case "buyer": try pay(of: .eve)
        default: try pay("1000", .sandbox)
        }
        _ = try orders.issue()
        orders.now = orders.now.advanced(by: 10 * Self.minute)
        #expect(try orders.recheck().isEmpty)
    }

    @Test func `has a question of its own, if it is another buyer's or of another environment`() throws {
        let eve = BuyerID.eve
        try pay("1")
        try pay("2", .sandbox)
        try pay("3", of: eve)
        _ = try orders.issue()
        _ = try orders.issue(.request(key: "k-2", environment: .sandbox))
        _ = try orders.issue(.request(buyer: eve))
        orders.now = orders.now.advanced(by: 10 * Self.minute)
        let asked = try orders.recheck().map {
            try $0.decoded(PaymentRecoveryV1.self).data.transactionId.rawValue
        }
        #expect(asked.sorted() == ["1", "2", "3"])
    }

    @Test(arguments: ["paid", "closed"])
    func `is forgotten as soon as it is paid or closed, even with a look in hand`(end: String) throws {
        try pay()
        let order = try orders.issue().orderId
        orders.now = orders.now.advanced(by: 10 * Self.minute)
        let items = try orders.due().items
        #expect(items.map(\.key) == [order.rawValue])
        switch end {
        case "paid": try orders.propose(.order(order), .facts("2000"))
        default: _ = try orders.close(order)
        }
        #expect(try orders.finish(items).isEmpty)
        #expect(try orders.due() == .init(items: [], next: nil))
        #expect(try rechecks(order) == 0)
    }

    @Test func `is never one that a payment made on the spot`() throws {
        try pay()
        #expect(try orders.due() == .init(items: [], next: nil))
        #expect(try orders.rows(of: "orders").count == 1)
    }

    @Test func `is asked about once, when the same look is taken twice`() throws {
        try pay()
        let order = try orders.issue().orderId
        orders.now = orders.now.advanced(by: 10 * Self.minute)
        let items = try orders.due().items
        #expect(try orders.finish(items).count == 1)
        #expect(try orders.finish(items).isEmpty)
        #expect(try rechecks(order) == 1)
    }

    @Test func `is rechecked once, however many rechecks were missed`() throws {
        try pay()
        _ = try orders.issue()
        orders.now = issued.advanced(by: 7 * Self.hour)
        #expect(try orders.recheck().count == 1)
        #expect(try orders.recheck().isEmpty)
        #expect(try orders.due().next == issued.advanced(by: 24 * Self.hour))
    }

    @Test func `waits for its time again, when the clock goes back`() throws {
        try pay()
        let order = try orders.issue().orderId
        orders.now = issued.advanced(by: 10 * Self.minute)
        let items = try orders.due().items
        orders.now = issued.advanced(by: -5 * Self.hour)
        #expect(try orders.finish(items).isEmpty, "a look in hand is not due any more")
        #expect(try orders.due() == .init(items: [], next: issued.advanced(by: 10 * Self.minute)))
        #expect(try rechecks(order) == 0)
        orders.now = issued.advanced(by: 10 * Self.minute)
        #expect(try orders.recheck().count == 1)
        orders.now = issued
        #expect(try orders.recheck().isEmpty)
        #expect(try orders.due().next == issued.advanced(by: Self.hour))
    }

    @Test func `is given out once, no more than there is room for, oldest first`() throws {
        for number in 0..<5 {
            orders.now = issued.advanced(by: Int64(number))
            _ = try orders.issue(.request(buyer: BuyerID(unchecked: "b-\(number)")))
        }
        let all = try orders.database.write { connection in
            try connection.rows("SELECT order_id FROM orders ORDER BY issued_at").map { try $0[0] as String }
        }
        // Four are due, the fifth will be in a millisecond.
        orders.now = issued.advanced(by: 10 * Self.minute + 3)
        let first = try orders.due(limit: 2)
        #expect(first.items.map(\.key) == Array(all[0..<2]))
        let second = try orders.due(limit: 8, excluding: Set(first.items.map(\.key)))
        let next = orders.now.advanced(by: 1)
        #expect(second == .init(items: all[2..<4].map { WorkItem(key: $0, payload: []) }, next: next))
        #expect(try orders.due(excluding: Set(all)) == .init(items: [], next: next))
    }

    @Test func `is looked at in lots, should its buyer have thousands`() throws {
        let count = RecheckStore.maximumOrders + 1
        for number in 0..<count { _ = try orders.issue(.request(key: "k-\(number)")) }
        orders.now = issued.advanced(by: 10 * Self.minute)
        let item = try #require(try orders.due().items.first)
        _ = try orders.finish([item])
        let left = try orders.rows("SELECT 1 FROM orders WHERE rechecks = 0")
        #expect(left.count == 1)
        _ = try orders.recheck()
        #expect(try orders.rows("SELECT 1 FROM orders WHERE rechecks = 1").count == count)
    }
}

/// What the worker says is due.
struct DueLooks: Equatable {
    var items: [WorkItem]
    var next: Timestamp?
}

// Looks as an owner of the partition takes them.
extension OrdersHarness {
    func due(limit: Int = 32, excluding inHand: Set<String> = []) throws -> DueLooks {
        let due = try database.write { connection in
            try PaymentRecovery().due(
                connection,
                of: PartitionAddress(.orders, 0),
                now: now,
                limit: limit,
                excluding: inHand
            )
        }
        return DueLooks(items: due.items, next: due.next)
    }

    /// Finishes items; returns what that sent.
    func finish(_ items: [WorkItem]) throws -> [OutgoingEvent] {
        var all: [OutgoingEvent] = []
        for item in items {
            try transact { try PaymentRecovery().finish(item, result: [], in: &$0) }
            all += sent
        }
        return all
    }

    /// Takes every look that is due, until none is; returns what that sent.
    func recheck() throws -> [OutgoingEvent] {
        var all: [OutgoingEvent] = []
        var items = try due().items
        for _ in 0..<100 where !items.isEmpty {
            all += try finish(items)
            items = try due().items
        }
        #expect(items.isEmpty, "rechecks without end")
        return all
    }
}
