import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `an order that nobody pays` {
    static let minute: Int64 = 60_000
    static let hour = 60 * minute

    let orders = OrdersHarness()
    let issued: Timestamp

    init() { issued = orders.now }

    /// Lets a buyer pay once before, without an order.
    private func payBefore(
        _ transaction: String = "1000",
        of buyer: BuyerID = .ada,
        _ environment: Environment = .production
    ) throws {
        try orders.propose(
            .caller(buyer),
            .bought(transaction, product: "coins.500", environment: environment)
        )
    }

    /// What Receipts is asked `age` after the first issue.
    private func questions(after age: Int64) throws -> [PaymentLookupV1] {
        orders.now = issued.advanced(by: age)
        return try orders.lookUpPayments().bodies(PaymentLookupV1.self)
    }

    private func lookups(_ id: OrderID) throws -> Int? {
        try orders.database.write { try $0.value("SELECT lookups FROM orders WHERE order_id = \(id)") }
    }

    @Test func `has Apple asked about its buyer 10 minutes after its issue, by the transaction paid last`()
        throws
    {
        try payBefore("3000")
        orders.now = orders.now.advanced(by: 1)
        try payBefore("2000")
        let order = try orders.issue()
        #expect(try questions(after: 10 * Self.minute).isEmpty)
        orders.now = orders.now.advanced(by: 1)
        let question = PaymentLookupV1(
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            transactionId: TransactionID(unchecked: "2000"),
            since: order.createdAt
        )
        let sent = try orders.lookUpPayments()
        #expect(try sent.bodies(PaymentLookupV1.self) == [question])
        #expect(sent.map(\.to) == [.ofAda(.receipts)])
        #expect(sent.first?.subject == "com.example.game/ada")
    }

    @Test func `is asked about five times, later and later, and then never again`() throws {
        try payBefore()
        _ = try orders.issue()
        var ages: [Int64] = []
        while let next = try orders.due().next, next < issued.advanced(by: 168 * Self.hour) {
            ages.append(next.milliseconds - issued.milliseconds)
            #expect(try questions(after: ages.last ?? 0).count == 1)
        }
        #expect(ages == [10 * Self.minute, Self.hour, 6 * Self.hour, 24 * Self.hour, 72 * Self.hour])
        #expect(try questions(after: 168 * Self.hour).isEmpty)
        #expect(try questions(after: 10_000 * Self.hour).isEmpty)
    }

    @Test func `is asked about at once when a wrong clock has dated it, and then in growing steps`() throws {
        try payBefore()
        let right = orders.now
        orders.now = right.advanced(by: 30 * 24 * Self.hour)
        let order = try orders.issue().orderId
        orders.now = right.advanced(by: Self.minute)
        let question = try orders.lookUpPayments().bodies(PaymentLookupV1.self)
        let since = orders.now.advanced(by: -72 * Self.hour)
        #expect(question.map(\.since) == [since], "it may be older than it says")
        #expect(try orders.due().items.isEmpty)
        var pauses: [Int64] = []
        while let next = try orders.due().next, pauses.count < 9,
            next < right.advanced(by: 29 * 24 * Self.hour)
        {
            pauses.append((next.milliseconds - orders.now.milliseconds) / Self.hour)
            orders.now = next
            _ = try orders.lookUpPayments()
        }
        #expect(Array(pauses.prefix(5)) == [1, 6, 24, 72, 168])
        #expect(try orders.order(order).state == .issued)
        orders.now = right.advanced(by: 60 * 24 * Self.hour)
        _ = try orders.lookUpPayments()
        #expect(try orders.order(order).state == .closed)
    }

    @Test func `is put off in the same steps while no transaction of its buyer is known`() throws {
        let order = try orders.issue().orderId
        for (step, age) in [10 * Self.minute, Self.hour].enumerated() {
            #expect(try questions(after: age).isEmpty)
            #expect(try lookups(order) == step + 1)
        }
        try payBefore()
        #expect(try orders.due().next == issued.advanced(by: 6 * Self.hour))
        #expect(try questions(after: 6 * Self.hour).count == 1)
    }

    @Test func `shares its question with the buyer's other orders, which reaches back to the oldest`() throws
    {
        try payBefore()
        for number in 0..<5 {
            orders.now = issued.advanced(by: Int64(number) * Self.minute)
            _ = try orders.issue(.request(key: "k-\(number)"))
        }
        for age in PaymentLookupSchedule.ages {
            // The last of the orders comes to this age 4 minutes after the first.
            let since = try (0..<5).flatMap { try questions(after: age + $0 * Self.minute).map(\.since) }
            #expect(since == [issued], "once, from the issue of the oldest")
        }
        #expect(try orders.due().next == issued.advanced(by: 168 * Self.hour))
    }

    @Test func `is not asked about for the sake of orders that are not looked up any more`() throws {
        try payBefore()
        _ = try orders.issue()
        #expect(try questions(after: 100 * Self.hour).count == 1)
        let later = try orders.issue(.request(key: "later"))
        let since = try questions(after: 100 * Self.hour + 10 * Self.minute).map(\.since)
        #expect(since == [later.createdAt])
    }

    @Test(arguments: [(BuyerID.eve, Environment.production), (.ada, .sandbox)])
    func `is not asked about by a transaction of another buyer or environment`(
        buyer: BuyerID,
        environment: Environment
    ) throws {
        try payBefore(of: buyer, environment)
        _ = try orders.issue()
        #expect(try questions(after: 10 * Self.minute).isEmpty)
    }

    @Test func `has a question of its own, if it is another buyer's or of another environment`() throws {
        try payBefore("1")
        try payBefore("2", .sandbox)
        try payBefore("3", of: .eve)
        _ = try orders.issue()
        _ = try orders.issue(.request(key: "k-2", environment: .sandbox))
        _ = try orders.issue(.request(buyer: .eve))
        let asked = try questions(after: 10 * Self.minute).map(\.transactionId.rawValue)
        #expect(asked.sorted() == ["1", "2", "3"])
    }

    @Test func `is forgotten as soon as it is paid, even with a look in hand`() throws {
        try payBefore()
        let order = try orders.issue().orderId
        orders.now = orders.now.advanced(by: 10 * Self.minute)
        let items = try orders.due().items
        #expect(items.map(\.key) == [order.rawValue])
        try orders.propose(.order(order), .bought("2000"))
        #expect(try orders.finish(items).isEmpty)
        #expect(try orders.due() == .init(items: [], next: nil))
        #expect(try lookups(order) == 0)
    }

    @Test(
        arguments: ["failed", "cancelled", "closed", "deferred, failed"],
        [Int64(0), 30 * minute, 48 * hour]
    )
    func `is asked about to the end, though it was closed meanwhile: Apple may have charged all the same`(
        end: String,
        age: Int64
    ) throws {
        try payBefore()
        let order = try orders.issue().orderId
        var asked = PaymentLookupSchedule.ages.filter { $0 <= age }
        for age in asked { #expect(try questions(after: age).count == 1) }
        orders.now = issued.advanced(by: age)
        switch end {
        case "failed": try orders.report(order, .failed)
        case "cancelled": try orders.report(order, .cancelled)
        case "closed": try orders.close(order, .superseded)
        default:
            try orders.report(order, .deferred)
            try orders.report(order, .failed)
        }
        while let next = try orders.due().next {
            asked.append(next.milliseconds - issued.milliseconds)
            let found = try questions(after: asked.last ?? 0)
            #expect(found.map(\.since) == [issued])
        }
        #expect(asked == PaymentLookupSchedule.ages)
        #expect(try orders.order(order).state == .closed, "and its reason stays")
        let late = try orders.pay(.token(order.rawValue), .bought("2000"))
        #expect(late.orderId == order && late.late == true, "what Apple tells then reopens it")
    }

    @Test func `is asked about no more when it is closed after the last question`() throws {
        let order = try orders.issue().orderId
        _ = try questions(after: 72 * Self.hour)
        try orders.close(order)
        #expect(try orders.due() == .init(items: [], next: nil))
    }

    @Test func `is never one that a payment made on the spot, nor a renewal`() throws {
        try payBefore()
        try orders.propose(.holder(.ada), .renewal("2000"), by: nil)
        #expect(try orders.due() == .init(items: [], next: nil))
        #expect(try orders.contents().count == 2)
    }

    @Test func `is asked about once, when the same look is taken twice`() throws {
        try payBefore()
        let order = try orders.issue().orderId
        orders.now = orders.now.advanced(by: 10 * Self.minute)
        let items = try orders.due().items
        #expect(try orders.finish(items).count == 1)
        #expect(try orders.finish(items).isEmpty)
        #expect(try lookups(order) == 1)
    }

    @Test func `is looked up once, however many lookups were missed`() throws {
        try payBefore()
        _ = try orders.issue()
        #expect(try questions(after: 7 * Self.hour).count == 1)
        #expect(try orders.lookUpPayments().isEmpty)
        #expect(try orders.due().next == issued.advanced(by: 24 * Self.hour))
    }

    @Test func `waits for its time again, when the clock goes back`() throws {
        try payBefore()
        let order = try orders.issue().orderId
        orders.now = issued.advanced(by: 10 * Self.minute)
        let items = try orders.due().items
        orders.now = issued.advanced(by: -5 * Self.hour)
        #expect(try orders.finish(items).isEmpty, "a look in hand is not due any more")
        #expect(try orders.due() == .init(items: [], next: issued.advanced(by: 10 * Self.minute)))
        #expect(try lookups(order) == 0)
        #expect(try questions(after: 10 * Self.minute).count == 1)
        #expect(try questions(after: 0).isEmpty)
        #expect(try orders.due().next == issued.advanced(by: Self.hour))
    }

    @Test func `is given out once, no more than there is room for, oldest first`() throws {
        let all = try (0..<5).map { (number: Int64) in
            orders.now = issued.advanced(by: number)
            return try orders.issue(.request(buyer: BuyerID(unchecked: "b-\(number)"))).orderId.rawValue
        }
        // Four are due, the fifth will be in a millisecond.
        orders.now = issued.advanced(by: 10 * Self.minute + 3)
        let first = try orders.due(limit: 2)
        #expect(first.items.map(\.key) == Array(all[0..<2]))
        let second = try orders.due(limit: 8, excluding: Set(first.items.map(\.key)))
        let next = orders.now.advanced(by: 1)
        #expect(second == .init(items: all[2..<4].map { WorkItem(key: $0, timer: 0) }, next: next))
        #expect(try orders.due(excluding: Set(all)) == .init(items: [], next: next))
    }

    @Test func `is looked at in lots, should its buyer have thousands`() throws {
        let count = PaymentLookupStore.maximumOrders + 1
        for number in 0..<count { _ = try orders.issue(.request(key: "k-\(number)")) }
        orders.now = issued.advanced(by: 10 * Self.minute)
        let item = try #require(try orders.due().items.first)
        _ = try orders.finish([item])
        #expect(try orders.rows("SELECT 1 FROM orders WHERE lookups = 0").count == 1)
        _ = try orders.lookUpPayments()
        #expect(try orders.rows("SELECT 1 FROM orders WHERE lookups = 1").count == count)
    }
}

// Looks as an owner of the partition takes them.
extension OrdersHarness {
    /// When the harness's orders expire.
    static var expiry: OrderExpiry { OrderExpiry(hours: 168) }

    /// Finishes items; returns what that sent.
    func finish(_ items: [WorkItem], _ expiry: OrderExpiry = expiry) throws -> [OutgoingEvent] {
        try items.flatMap { item in
            try transact { try PaymentLookupTimer(expiry: expiry).run(item.key, in: $0) }
            return sent
        }
    }

    /// Takes every look that is due, until none is; returns what that sent.
    func lookUpPayments(_ expiry: OrderExpiry = expiry) throws -> [OutgoingEvent] {
        var all: [OutgoingEvent] = []
        var items = try due().items
        for _ in 0..<100 where !items.isEmpty {
            all += try finish(items, expiry)
            items = try due().items
        }
        #expect(items.isEmpty, "lookups without end")
        return all
    }
}
