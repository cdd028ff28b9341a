import Contracts
import TestKit
import Testing

@testable import Orders

@Suite struct `an order` {
    static let now = Timestamp(milliseconds: 1_760_000_000_000)
    static let later = Timestamp(milliseconds: 1_760_000_009_000)
    static let purchases = ["1000", "2000"].map { PaidPurchase(.bought($0)) }

    static let payments: [Payment] =
        [.issued, .deferred] + OrderCloseReason.allCases.map(Payment.closed)
        + purchases.flatMap { [.paid($0, late: false), .paid($0, late: true)] }

    /// Every state in which an order can be.
    static let states: [Order] = payments.flatMap { payment in
        switch payment {
        case .issued, .deferred, .closed: [order(payment, .none)]
        case .paid:
            Fulfilment.allCases.flatMap {
                [order(payment, $0), order(payment, $0, move: OrderMove(holder: .eve, transfers: 1))]
            }
        }
    }

    static let error = ReportedError(domain: "SKErrorDomain", code: "2")
    static let reports: [Order.Event] = OrderReportV1.Outcome.allCases.flatMap {
        [.report($0, nil), .report($0, error)]
    }

    static let events: [Order.Event] =
        OrderCloseReason.allCases.map(Order.Event.close) + reports + purchases.map(Order.Event.pay)
        + purchases.flatMap { purchase in
            [BuyerID.ada, .eve].flatMap { buyer in
                GrantOutcome.allCases.map { .settle(purchase.id, $0, of: buyer) }
            }
        }

    static func order(
        _ payment: Payment,
        _ fulfilment: Fulfilment,
        product: ProductID = .coins,
        issuedAt: Timestamp = now,
        move: OrderMove? = nil
    ) -> Order {
        Order(
            id: OrderID(time: now, shard: Shard(rawValue: 9), random: 1),
            bundleID: .game,
            buyerID: .ada,
            content: OrderContent(productID: product, quantity: 1, environment: .production),
            issuedAt: issuedAt,
            move: move,
            payment: payment,
            fulfilment: fulfilment
        )
    }

    @Test(arguments: states, events)
    func `applying an event twice is the same as once, and a refused event leaves no trace`(
        from: Order,
        event: Order.Event
    ) {
        var order = from
        do throws(OrderRefusal) {
            _ = try order.apply(event, at: Self.now)
            let once = order
            #expect(try order.apply(event, at: Self.later) == .repeated)
            #expect(order == once)
        } catch {
            #expect(order == from)
            var again = from
            #expect(throws: error) { try again.apply(event, at: Self.later) }
        }
    }

    @Test(arguments: states, events)
    func `an event is called repeated exactly when the state does not change`(
        from: Order,
        event: Order.Event
    ) throws {
        var order = from
        guard let effect = Self.effect(of: event, on: &order) else { return }
        let same = order.payment == from.payment && order.fulfilment == from.fulfilment
        #expect((effect == .repeated) == same)
    }

    @Test(arguments: states, purchases)
    func `is paid by at most one purchase, for ever`(from: Order, purchase: PaidPurchase) {
        guard case .paid(let payer, let late) = from.payment else { return }
        for event in Self.events {
            var order = from
            _ = Self.effect(of: event, on: &order)
            #expect(order.payment == .paid(payer, late: late))
        }
        var order = from
        let effect = Self.effect(of: .pay(purchase), on: &order)
        #expect(effect == (payer == purchase ? .repeated : nil))
    }

    @Test(arguments: payments, purchases)
    func `never refuses a payment for being late`(payment: Payment, purchase: PaidPurchase) {
        var order = Self.order(payment, .none)
        switch payment {
        case .issued, .deferred:
            #expect(Self.effect(of: .pay(purchase), on: &order) == .applied)
            #expect(order.payment == .paid(purchase, late: false))
        case .closed:
            #expect(Self.effect(of: .pay(purchase), on: &order) == .applied)
            #expect(order.payment == .paid(purchase, late: true))
            #expect(order.terms.late == true && order.snapshot.late == true)
        case .paid:
            break
        }
    }

    @Test(arguments: OrderCloseReason.allCases, OrderCloseReason.allCases)
    func `keeps its first reason when it is closed again`(first: OrderCloseReason, second: OrderCloseReason) {
        var order = Self.order(.closed(first), .none)
        #expect(Self.effect(of: .close(second), on: &order) == .repeated)
        #expect(order.payment == .closed(first))
        #expect(order.snapshot.closeReason == first)
    }

    @Test(arguments: states, OrderReportV1.Outcome.allCases)
    func `follows a report while it is unpaid and open, and keeps what the phone said with it`(
        from: Order,
        outcome: OrderReportV1.Outcome
    ) throws {
        var order = from
        let effect = try order.apply(.report(outcome, Self.error), at: Self.now)
        let expected: Payment =
            switch (from.payment, outcome) {
            case (.issued, .deferred), (.deferred, .deferred): .deferred
            case (.issued, .cancelled), (.deferred, .cancelled): .closed(.cancelled)
            case (.issued, .failed), (.deferred, .failed): .closed(.failed)
            case (.closed, _), (.paid, _): from.payment
            }
        #expect(order.payment == expected)
        #expect((effect == .applied) == (expected != from.payment))
        #expect(order.snapshot.error == (effect == .applied ? Self.error : nil))
    }

    @Test func `is over its limit when its payment makes more units than one buyer may pay for`() throws {
        for (limit, paidUnits, quantity, isOver) in [
            (nil, 99, 10, false), (3, 0, 3, false), (3, 2, 1, false), (3, 2, 2, true), (1, 1, 1, true),
        ] as [(Int?, Int, Int, Bool)] {
            var order = Self.order(.issued, .none)
            order.limit = limit
            let facts = TransactionFacts.bought(quantity: quantity)
            #expect(try order.pay(with: facts, paidUnits: paidUnits, at: Self.now) == .applied)
            #expect(order.isOverLimit == isOver)
            #expect(order.snapshot.overLimit == (isOver ? true : nil))
            let once = order
            #expect(try order.pay(with: facts, paidUnits: 1_000, at: Self.later) == .repeated)
            #expect(order == once)
        }
    }

    @Test func `is not over its limit by what somebody else paid for`() throws {
        var order = Self.order(.issued, .none)
        order.limit = 1
        var facts = TransactionFacts.facts(quantity: 5)
        facts.inAppOwnershipType = "ASSIGNED"
        #expect(try order.pay(with: facts, paidUnits: 1, at: Self.now) == .applied)
        #expect(!order.isOverLimit)
    }

    @Test(arguments: Fulfilment.allCases, GrantOutcome.allCases)
    func `follows the ledger's last word`(from: Fulfilment, outcome: GrantOutcome) {
        var fulfilment = from
        _ = fulfilment.apply(outcome)
        #expect(fulfilment.rawValue == outcome.rawValue)
    }

    @Test(arguments: Fulfilment.allCases, GrantOutcome.allCases)
    func `of a purchase that has moved follows its holder's ledger alone`(
        from: Fulfilment,
        outcome: GrantOutcome
    ) throws {
        let paid = Payment.paid(Self.purchases[0], late: false)
        var order = Self.order(paid, from, move: OrderMove(holder: .eve, transfers: 1))
        #expect(try order.apply(.settle(Self.purchases[0].id, outcome, of: .ada), at: Self.now) == .repeated)
        #expect(order.fulfilment == from)
        _ = try order.apply(.settle(Self.purchases[0].id, outcome, of: .eve), at: Self.now)
        #expect(order.fulfilment.rawValue == outcome.rawValue)
    }

    @Test func `keeps the time of its first grant over a refund and its reversal`() throws {
        var order = Self.order(.paid(Self.purchases[0], late: false), .none)
        _ = try order.apply(.settle(Self.purchases[0].id, .granted, of: .ada), at: Self.now)
        _ = try order.apply(.settle(Self.purchases[0].id, .reversed, of: .ada), at: Self.later)
        _ = try order.apply(.settle(Self.purchases[0].id, .granted, of: .ada), at: Self.later)
        #expect(order.grantedAt == Self.now)
        #expect(order.state == .granted)
    }

    @Test(arguments: payments, Fulfilment.allCases)
    func `shows a state derived from its two machines`(payment: Payment, fulfilment: Fulfilment) {
        let state = Self.order(payment, fulfilment).state
        switch payment {
        case .issued: #expect(state == .issued)
        case .deferred: #expect(state == .deferred)
        case .closed: #expect(state == .closed)
        case .paid:
            let states: [Fulfilment: OrderV1.State] = [
                .none: .paid, .granted: .granted, .reversed: .refunded, .parked: .parked,
            ]
            #expect(state == states[fulfilment])
        }
    }

    private static func effect(of event: Order.Event, on order: inout Order) -> Transition? {
        do throws(OrderRefusal) { return try order.apply(event, at: now) } catch { return nil }
    }
}
