import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Orders

/// A purchase that Apple's token names as another buyer's, after its holder's ledger has given it up.
@Suite struct `a purchase that moves` {
    typealias Claims = `the judgement of a claim`

    let orders = OrdersHarness()

    // MARK: The judgement

    private static func moved(
        to buyer: BuyerID,
        _ named: OrderID?,
        from former: OrderID,
        transfer: Int
    ) -> ClaimMovedV1 {
        ClaimMovedV1(
            transaction: Claims.facts,
            buyerId: buyer,
            orderId: named,
            fromOrderId: former,
            transfer: transfer,
            evidence: .token
        )
    }

    @Test(arguments: PaymentMatch.allCases)
    func `is judged by its table`(standing: PaymentMatch) {
        let named = Claims.named(standing)
        let evidence = KnownOrders(named: named)
        let expected: ClaimJudgement =
            switch standing {
            case .unpaid, .issuedAfter, .released: .paid(Claims.paid(standing))
            case .paidByThis: named.map(ClaimJudgement.repeated) ?? .refused(.unknownOrder)
            case .absent, .otherProduct, .paidByAnother: .onTheSpot(.ada)
            }
        let judgements: [(BuyerID, ClaimJudgement)] = [(.ada, expected), (.eve, .onTheSpot(.eve))]
        for (buyer, judgement) in judgements {
            let moved = Self.moved(to: buyer, Claims.id, from: .elsewhere(), transfer: 2)
            #expect(ClaimJudgement.judge(moved, evidence: evidence, at: Claims.tooLate) == judgement)
        }
    }

    @Test(arguments: [nil, 1, 2, 3], [false, true])
    func `leaves an order by its table`(transfers: Int?, isFormer: Bool) {
        let order = `an order`.order(
            .paid(PaidPurchase(Claims.facts), after: .issued),
            .granted,
            move: transfers.map { OrderMove(holder: .eve, transfers: $0) }
        )
        let former = isFormer ? Claims.id : OrderID.elsewhere()
        for buyer in [BuyerID.ada, .eve] {
            for named in [nil, Claims.id, OrderID.elsewhere()] {
                let moved = Self.moved(to: buyer, named, from: former, transfer: 2)
                let isNewHolders = buyer == .ada && !(isFormer && named == OrderID.elsewhere())
                #expect(order.loses(by: moved) == ((transfers ?? 0) < 2 && !isNewHolders))
            }
        }
    }

    // MARK: The order that it pays

    @Test func `pays the order that the move names, and tells Receipts and the ledger`() throws {
        let order = try orders.issue(.request(buyer: .eve)).orderId
        let paid = try orders.move(from: .elsewhere(), to: .eve, order, id: .event(1))
        #expect(paid.orderId == order && paid.state == .paid && paid.buyerId == .eve)
        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.attempt == 0 && held.buyerId == .eve && held.evidence == .token)
        #expect(held.transferred == Transferred(count: 1, payerId: .eve))
        let grants = try orders.sent.bodies(PurchaseReportedV1.self)
        #expect(grants.map(\.buyerId) == [.eve, .eve] && grants.map(\.transfers) == [nil, 1])
        #expect(grants.allSatisfy { $0.order.orderId == order && $0.submission == nil })
        #expect(orders.sent.count == 3 && orders.recorded.isEmpty)
        let trace = try orders.trace(EventID.event(1).rawValue)
        #expect(trace.entries.map(\.type) == [ClaimMovedV1.type, OrderIssueV1.type].map(\.rawValue))
        #expect(try orders.recordGrant(order, .granted, of: .eve) == .applied)
        #expect(try orders.order(order).state == .granted)
    }

    @Test func `gets one on the spot where none is named, or the named one cannot be paid`() throws {
        let product = ProductID(unchecked: "dear")
        let dear = try orders.issue(.request(key: "k-1", buyer: .eve, product: product)).orderId
        let paid = try orders.issue(.request(key: "k-2", buyer: .eve)).orderId
        try orders.propose(.order(paid), .bought("1"))
        let foreign = try orders.issue().orderId
        for (number, named) in [nil, dear, paid, foreign, OrderID.elsewhere()].enumerated() {
            let made = try orders.move(from: .elsewhere(), to: .eve, named, .bought("\(2_000 + number)"))
            #expect(made.origin == .spot && made.state == .paid && made.buyerId == .eve)
            #expect(made.orderId != named)
        }
        #expect(try orders.order(dear).state == .issued)
        #expect(try orders.order(foreign).state == .issued)
    }

    @Test func `remembers the production order that a sandbox payment names`() throws {
        let production = try orders.issue(.request(buyer: .eve)).orderId
        let facts = TransactionFacts.bought(environment: .sandbox).bearing(production.rawValue)
        #expect(try orders.move(from: .elsewhere(), to: .eve, nil, facts).sandboxOf == production)
    }

    @Test func `twice moves once, and what comes late is answered with what is known`() throws {
        try orders.move(from: .elsewhere(), to: .eve, transfer: 3)
        let before = try orders.contents()
        for (buyer, transfer) in [(BuyerID.eve, 3), (.ada, 2)] {
            #expect(try orders.move(from: .elsewhere(), to: buyer, transfer: transfer).buyerId == .eve)
            #expect(try orders.only(ClaimHeldV1.self).transferred?.count == 3)
            #expect(orders.recorded.count == 1)
        }
        #expect(try orders.contents() == before)
    }

    @Test func `stays with the new holder's order that it pays already`() throws {
        let kept = try orders.pay(.caller(.eve), by: .eve).orderId
        let open = try orders.issue(.request(buyer: .eve)).orderId
        #expect(try orders.move(from: .elsewhere(), to: .eve, open).orderId == kept)
        #expect(try orders.only(ClaimHeldV1.self).transferred == Transferred(count: 1, payerId: .eve))
        #expect(try orders.order(open).state == .issued)
    }

    @Test func `that a restore had moved returns to the order that it has paid all the time`() throws {
        let order = try orders.issuePaid()
        let restored = Transferred(count: 1, payerId: .ada)
        try orders.update(order, of: .eve, by: nil, transferred: restored)
        for named in [nil, order] {
            #expect(try orders.move(from: order, to: .ada, named, transfer: 2).orderId == order)
            #expect(try orders.only(ClaimHeldV1.self).buyerId == .ada)
        }
        let before = try orders.contents()
        try orders.release(order, transfer: 2)
        #expect(try orders.contents() == before)
    }

    // MARK: The order that loses it

    @Test func `leaves its order before it pays another one of the same partition`() throws {
        let former = try orders.issuePaid()
        let order = try orders.issue(.request(buyer: .eve)).orderId
        #expect(try orders.move(from: former, to: .eve, order).orderId == order)
        #expect(orders.recorded.contains { $0.hasPrefix("\(former): ") })
        #expect(try orders.order(former).state == .issued)
        let before = try orders.contents()
        try orders.release(former)
        #expect(try orders.contents() == before)
        try orders.update(former)
        #expect(orders.sent.isEmpty, "that was sent before the move")
        #expect(try orders.contents() == before)
    }

    @Test func `leaves an order of which only an older copy of this store knows`() throws {
        let stale = try orders.pay(.caller(.ada)).orderId
        #expect(try orders.move(from: .elsewhere(), to: .eve, transfer: 2).buyerId == .eve)
        #expect(try orders.order(stale).state == .void)
    }

    @Test func `comes back to the order that a phone had placed for it`() throws {
        let order = try orders.issuePaid()
        try orders.release(order)
        let paid = try orders.move(from: .elsewhere(), to: .ada, order, transfer: 2)
        #expect(paid.orderId == order && paid.state == .paid)
        #expect(try orders.only(ClaimHeldV1.self).transferred == Transferred(count: 2, payerId: .ada))
        #expect(try orders.rows("SELECT released_purchase_id FROM orders").map(\.values) == [[.null]])
        #expect(try orders.recordGrant(order, .granted) == .applied)
        try orders.release(order)
        #expect(try orders.order(order).state == .granted, "it had lost it by the first transfer, not since")
        try orders.release(order, transfer: 3)
        #expect(try orders.order(order).state == .issued)
    }

    @Test func `comes back to a new order if the one that it had was made on the spot`() throws {
        let void = try orders.pay(.caller(.ada)).orderId
        try orders.release(void)
        let made = try orders.move(from: .elsewhere(), to: .ada, void, transfer: 2)
        #expect(made.orderId != void && made.state == .paid && made.buyerId == .ada)
        #expect(try orders.order(void).state == .void)
    }

    @Test func `is told to restored stores by its new order alone`() throws {
        let former = try orders.issuePaid()
        let order = try orders.move(from: former, to: .eve).orderId
        let claims = try orders.redriven(to: .receipts).bodies(ClaimRedrivenV1.self)
        #expect(claims.map(\.orderId) == [order] && claims.map(\.buyerId) == [.eve])
        #expect(claims.map(\.transferred) == [Transferred(count: 1, payerId: .eve)])
    }
}
