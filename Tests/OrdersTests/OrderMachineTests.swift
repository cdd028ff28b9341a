import Contracts
import TestKit
import Testing

@testable import Orders

@Suite struct `an order` {
    static let now = Timestamp(milliseconds: 1_760_000_000_000)
    static let later = Timestamp(milliseconds: 1_760_000_009_000)
    static let purchases = ["1000", "2000"].map { PaidPurchase(.bought($0)) }

    /// What an order may have been before its payment.
    static let unpaid: [Unpaid] = [.issued, .deferred, .closed(.expired), .unplaced]
    static let paid: [Payment] = purchases.flatMap { purchase in
        unpaid.map { Payment.paid(purchase, after: $0) }
    }
    static let payments: [Payment] =
        [.issued, .deferred, .void] + OrderCloseReason.allCases.map(Payment.closed) + paid

    /// The first purchase, which an order has lost.
    static let released = ReleasedPurchase(purchase: purchases[0], transfer: 1)

    /// Every state in which an order can be.
    static let states: [Order] = payments.flatMap { payment in
        switch payment {
        case .issued, .deferred, .closed: [order(payment, .none), order(payment, .none, released: released)]
        case .void: [order(payment, .none, released: released)]
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

    static let releases: [Order.Event] = purchases.flatMap { purchase in
        [1, 2].map { Order.Event.release(purchase.id, by: $0) }
    }

    static let recordings: [Order.Event] = purchases.flatMap { purchase in
        [BuyerID.ada, .eve].flatMap { buyer in
            GrantOutcome.allCases.map { Order.Event.recordGrant(purchase.id, $0, of: buyer) }
        }
    }

    static let events: [Order.Event] =
        OrderCloseReason.allCases.map(Order.Event.close) + reports + purchases.map(Order.Event.pay)
        + releases + recordings

    static func order(
        _ payment: Payment,
        _ fulfilment: Fulfilment,
        product: ProductID = .coins,
        issuedAt: Timestamp = now,
        move: OrderMove? = nil,
        released: ReleasedPurchase? = nil
    ) -> Order {
        Order(
            id: OrderID(time: now, shard: Shard(rawValue: 9), random: 1),
            bundleID: .game,
            buyerID: .ada,
            content: OrderContent(productID: product, quantity: 1, environment: .production),
            issuedAt: issuedAt,
            move: move,
            released: released,
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
    func `is paid by at most one purchase, until that goes to another buyer`(
        from: Order,
        purchase: PaidPurchase
    ) {
        guard case .paid(let payer, _) = from.payment else { return }
        for event in Self.events where !Self.releases.contains(event) {
            var order = from
            _ = Self.effect(of: event, on: &order)
            #expect(order.payment == from.payment)
        }
        var order = from
        let effect = Self.effect(of: .pay(purchase), on: &order)
        #expect(effect == (payer == purchase ? .repeated : nil))
    }

    @Test(arguments: payments, purchases)
    func `never refuses a payment for being late`(payment: Payment, purchase: PaidPurchase) {
        let before: Unpaid? =
            switch payment {
            case .issued: .issued
            case .deferred: .deferred
            case .closed(let reason): .closed(reason)
            case .paid, .void: nil
            }
        guard let before else { return }
        var order = Self.order(payment, .none)
        #expect(Self.effect(of: .pay(purchase), on: &order) == .applied)
        #expect(order.payment == .paid(purchase, after: before))
        let isLate = payment != .issued && payment != .deferred
        #expect(order.terms.late == (isLate ? true : nil) && order.snapshot.late == (isLate ? true : nil))
    }

    @Test(arguments: unpaid, Fulfilment.allCases)
    func `that loses its purchase is what it was before, or void if nobody had placed it`(
        before: Unpaid,
        fulfilment: Fulfilment
    ) throws {
        let (mine, other) = (Self.purchases[0], Self.purchases[1])
        let paid = Self.order(.paid(mine, after: before), fulfilment)
        var order = paid
        #expect(try order.apply(.release(other.id, by: 1), at: Self.later) == .repeated)
        #expect(order == paid)
        #expect(try order.apply(.release(mine.id, by: 1), at: Self.later) == .applied)
        let expected: Payment =
            switch before {
            case .issued: .issued
            case .deferred: .deferred
            case .closed(let reason): .closed(reason)
            case .unplaced: .void
            }
        #expect(order == Self.order(expected, .none, released: Self.released))
        for recording in Self.recordings {
            let isOfMine = Self.effect(of: recording, on: &order) == .repeated
            guard case .recordGrant(mine.id, _, _) = recording else { continue }
            #expect(isOfMine, "it was on its way")
        }
        #expect(order == Self.order(expected, .none, released: Self.released))
    }

    @Test func `keeps a purchase that has come back by a later transfer`() throws {
        let paid = Payment.paid(Self.purchases[0], after: .issued)
        var order = Self.order(paid, .granted, move: OrderMove(holder: .ada, transfers: 2))
        for (transfer, transition) in [(1, Transition.repeated), (2, .repeated), (3, .applied)] {
            let release = Order.Event.release(Self.purchases[0].id, by: transfer)
            #expect(try order.apply(release, at: Self.now) == transition)
        }
        #expect(order.payment == .issued && order.move == nil)
    }

    @Test(arguments: purchases) func `forgets what it has lost only when that comes back`(
        purchase: PaidPurchase
    ) throws {
        var order = Self.order(.issued, .none, released: Self.released)
        #expect(try order.apply(.pay(purchase), at: Self.later) == .applied)
        #expect(order.released == (purchase == Self.purchases[0] ? nil : Self.released))
        #expect(try order.apply(.release(purchase.id, by: 5), at: Self.later) == .applied)
        #expect(order.released == ReleasedPurchase(purchase: purchase, transfer: 5))
    }

    @Test(arguments: purchases) func `that is void takes no payment`(purchase: PaidPurchase) {
        var order = Self.order(.void, .none, released: Self.released)
        #expect(throws: OrderRefusal.void) { try order.apply(.pay(purchase), at: Self.later) }
        for id in ["1000", "2000"] {
            #expect(PaymentMatch(order, to: .bought(id), at: Self.later) == .paidByAnother)
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
            case (.closed, _), (.paid, _), (.void, _): from.payment
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
        let facts = TransactionFacts.facts(quantity: 5).with(\.inAppOwnershipType, "ASSIGNED")
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
        let paid = Payment.paid(Self.purchases[0], after: .issued)
        var order = Self.order(paid, from, move: OrderMove(holder: .eve, transfers: 1))
        let byPayer = try order.apply(.recordGrant(Self.purchases[0].id, outcome, of: .ada), at: Self.now)
        #expect(byPayer == .repeated && order.fulfilment == from)
        _ = try order.apply(.recordGrant(Self.purchases[0].id, outcome, of: .eve), at: Self.now)
        #expect(order.fulfilment.rawValue == outcome.rawValue)
    }

    @Test func `keeps the time of its first grant over a refund and its reversal`() throws {
        var order = Self.order(.paid(Self.purchases[0], after: .issued), .none)
        _ = try order.apply(.recordGrant(Self.purchases[0].id, .granted, of: .ada), at: Self.now)
        _ = try order.apply(.recordGrant(Self.purchases[0].id, .reversed, of: .ada), at: Self.later)
        _ = try order.apply(.recordGrant(Self.purchases[0].id, .granted, of: .ada), at: Self.later)
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
        case .void: #expect(state == .void)
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
