import Contracts
import TestKit
import Testing

@testable import Orders

@Suite struct `the judgement of a claim` {
    typealias Orders = `an order`

    static let candidateBuyer = BuyerID(unchecked: "grace")
    static let tokenOwner = BuyerID(unchecked: "owner")
    static let facts = TransactionFacts.bought()
    static let id = OrderID(time: Orders.now, shard: Shard(rawValue: 9), random: 1)
    /// The first moment at which no order was placed for what `facts` paid.
    static let tooLate = facts.purchaseDate.advanced(by: 60_001)
    static let candidates: [ClaimCandidate] = [
        .token(id.rawValue), .registered(candidateBuyer), .order(id), .holder(candidateBuyer),
        .caller(candidateBuyer),
    ]

    /// An order that stands so to `facts`.
    static func named(_ standing: PaymentMatch) -> Order? {
        switch standing {
        case .absent: nil
        case .unpaid: Orders.order(.issued, .none)
        case .issuedAfter: Orders.order(.issued, .none, issuedAt: tooLate)
        case .released:
            Orders.order(
                .issued,
                .none,
                released: ReleasedPurchase(purchase: PaidPurchase(facts), transfer: 1)
            )
        case .paidByThis: Orders.order(.paid(PaidPurchase(facts), after: .issued), .granted)
        case .otherProduct: Orders.order(.issued, .none, product: ProductID(unchecked: "dear"))
        case .paidByAnother: Orders.order(.paid(PaidPurchase(.bought("2000")), after: .issued), .none)
        }
    }

    @Test(arguments: PaymentMatch.allCases)
    func `sees how an order stands to a transaction`(standing: PaymentMatch) {
        let match = PaymentMatch(Self.named(standing), to: Self.facts, at: Self.tooLate)
        #expect(match == standing)
    }

    @Test func `sees no order of another app, and no payment of another environment`() {
        let foreign = Self.facts.with(\.bundleId, .otherApp)
        #expect(PaymentMatch(Self.named(.unpaid), to: foreign, at: Self.tooLate) == .absent)
        let sandbox = Self.facts.with(\.environment, .sandbox)
        #expect(PaymentMatch(Self.named(.unpaid), to: sandbox, at: Self.tooLate) == .otherProduct)
        #expect(PaymentMatch(Self.named(.paidByThis), to: sandbox, at: Self.tooLate) == .paidByAnother)
    }

    @Test(arguments: candidates, PaymentMatch.allCases)
    func `follows its table`(candidate: ClaimCandidate, standing: PaymentMatch) {
        for owner in [nil, Self.tokenOwner] {
            let evidence = KnownOrders(named: Self.named(standing), tokenOwner: owner)
            let judgement = ClaimJudgement.judge(
                candidate,
                of: Self.facts,
                evidence: evidence,
                at: Self.tooLate
            )
            #expect(judgement == Self.expected(candidate, standing, owner: owner))
        }
    }

    private static func expected(
        _ candidate: ClaimCandidate,
        _ standing: PaymentMatch,
        owner: BuyerID?
    ) -> ClaimJudgement {
        switch (candidate, standing) {
        case (.holder(let buyer), _): return .onTheSpot(buyer)
        case (_, .unpaid), (.token, .issuedAfter): return .paid(paid(standing))
        case (_, .paidByThis):
            return .repeated(Orders.order(.paid(PaidPurchase(facts), after: .issued), .granted))
        case (.registered(let buyer), _), (.caller(let buyer), _): return .onTheSpot(buyer)
        case (.token, .absent):
            return owner.map { .refused(.registered, registered: $0) } ?? .refused(.unknownOrder)
        case (.token, .otherProduct), (.token, .paidByAnother): return .onTheSpot(.ada)
        case (.order, .absent): return .refused(.unknownOrder)
        case (.order, .issuedAfter): return .refused(.issuedAfter)
        case (.order, .otherProduct): return .refused(.otherProduct)
        case (.order, .paidByAnother), (.token, .released), (.order, .released): return .refused(.alreadyPaid)
        }
    }

    /// The order that stands so, once `facts` have paid it.
    static func paid(_ standing: PaymentMatch) -> Order {
        var paid = Orders.order(.issued, .none, issuedAt: standing == .issuedAfter ? tooLate : Orders.now)
        _ = Result { try paid.apply(.pay(PaidPurchase(facts)), at: tooLate) }
        return paid
    }

    @Test(arguments: [PaymentMatch.unpaid, .issuedAfter, .otherProduct, .paidByThis, .paidByAnother])
    func `a sandbox payment gets an order of its own by the token of a production order, which it remembers`(
        standing: PaymentMatch
    ) throws {
        let sandbox = Self.facts.with(\.environment, .sandbox)
        let named = try #require(Self.named(standing))
        let judgement = ClaimJudgement.judge(
            .token(Self.id.rawValue),
            of: sandbox,
            evidence: KnownOrders(named: named),
            at: Self.tooLate
        )
        #expect(judgement == .onTheSpot(.ada, sandboxOf: named.id))
    }

    @Test(arguments: candidates, PaymentMatch.allCases)
    func `twice is once: what a transaction has paid answers for it whatever is proposed`(
        candidate: ClaimCandidate,
        standing: PaymentMatch
    ) throws {
        let payer = try #require(Self.named(.paidByThis))
        let evidence = KnownOrders(payer: payer, named: Self.named(standing), tokenOwner: Self.tokenOwner)
        let judgement = ClaimJudgement.judge(candidate, of: Self.facts, evidence: evidence, at: Orders.later)
        #expect(judgement == .repeated(payer))
    }

    @Test(arguments: candidates.filter { if case .holder = $0 { false } else { true } })
    func `asks for product and environment, never for quantity`(candidate: ClaimCandidate) {
        let facts = TransactionFacts.bought(quantity: 7)
        let evidence = KnownOrders(named: Self.named(.unpaid))
        guard case .paid = ClaimJudgement.judge(candidate, of: facts, evidence: evidence, at: Self.tooLate)
        else {
            Issue.record("another quantity is no mismatch")
            return
        }
    }

    @Test func `of a restated transaction repairs only what the store has forgotten`() throws {
        let message = TransactionUpdatedV1(transaction: Self.facts, buyerId: .ada, orderId: Self.id)
        for standing in PaymentMatch.allCases {
            let named = Self.named(standing)
            let evidence = KnownOrders(named: named)
            let judgement = ClaimJudgement.judge(message, evidence: evidence, at: Self.tooLate)
            switch standing {
            case .absent: #expect(judgement == .onTheSpot(.ada, lost: Self.id))
            case .unpaid, .issuedAfter, .released: #expect(judgement == .paid(Self.paid(standing)))
            case .paidByThis: #expect(judgement == .repeated(try #require(named)))
            case .otherProduct: #expect(judgement == .refused(.otherProduct))
            case .paidByAnother: #expect(judgement == .onTheSpot(.ada))
            }
            #expect(PurchaseReportedV1.reports(message, paying: named).map(\.order.orderId) == [Self.id])
        }
    }

    @Test(arguments: [nil, 1, 2, 3])
    func `of a restated transaction tells what was sent before its order lost it, under any key`(
        transfers: Int?
    ) {
        let purchase = PaidPurchase(
            id: PurchaseID(unchecked: "900:55"),
            transactionID: Self.facts.transactionId
        )
        let released = ReleasedPurchase(purchase: purchase, transfer: 2)
        let order = Orders.order(.issued, .none, released: released)
        var message = TransactionUpdatedV1(transaction: Self.facts, buyerId: .ada, orderId: Self.id)
        message.transferred = transfers.map { Transferred(count: $0, payerId: .ada) }
        #expect(order.hasLost(message) == ((transfers ?? 0) < 2))
        message.transaction.environment = .sandbox
        #expect(!order.hasLost(message))
        message.transaction = .bought("2000")
        #expect(!order.hasLost(message))
    }
}
