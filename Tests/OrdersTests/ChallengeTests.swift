import Contracts
import TestKit
import Testing

@testable import Orders

/// Whom a token or an order names for a purchase that somebody else holds.
@Suite struct `a challenge` {
    typealias Claims = `the judgement of a claim`

    private static let ownToken = "f47ac10b-58cc-4372-a567-0e02b2c3d479"

    let orders = OrdersHarness()

    // MARK: The judgement

    @Test(arguments: Claims.candidates, PaymentMatch.allCases)
    func `follows its table`(candidate: ClaimCandidate, standing: PaymentMatch) {
        for owner in [nil, Claims.tokenOwner] {
            let judgement = ChallengeJudgement.judge(
                candidate,
                of: Claims.facts,
                evidence: KnownOrders(named: Claims.named(standing), tokenOwner: owner),
                at: Claims.tooLate
            )
            #expect(judgement == Self.expected(candidate, standing, owner: owner))
        }
    }

    private static func expected(
        _ candidate: ClaimCandidate,
        _ standing: PaymentMatch,
        owner: BuyerID?
    ) -> ChallengeJudgement {
        switch (candidate, standing) {
        case (.token, .absent): owner.map(ChallengeJudgement.onTheSpot) ?? .nobody
        case (.token, .otherProduct), (.token, .paidByAnother): .onTheSpot(.ada)
        case (.token, _), (.order, .unpaid), (.order, .paidByThis): .order(Claims.id, of: .ada)
        case (.order, _), (.registered, _), (.holder, _), (.caller, _): .nobody
        }
    }

    @Test func `by the token of a void order names its buyer, and by a hint nobody`() {
        let void = `an order`.order(.void, .none, released: `an order`.released)
        let expected: [(ClaimCandidate, ChallengeJudgement)] = [
            (.token(Claims.id.rawValue), .onTheSpot(.ada)), (.order(Claims.id), .nobody),
        ]
        for (candidate, judgement) in expected {
            for id in ["1000", "2000"] {
                let judged = ChallengeJudgement.judge(
                    candidate,
                    of: .bought(id),
                    evidence: KnownOrders(named: void),
                    at: Claims.tooLate
                )
                #expect(judged == judgement)
            }
        }
    }

    // MARK: The answer

    /// Eve has the purchase by an order of hers.
    private func hold() throws { try orders.propose(.holder(.eve), by: .eve) }

    @Test func `is answered with the order that the token names, and pays and stores nothing`() throws {
        try hold()
        let order = try orders.issue().orderId
        let before = try orders.contents()
        let answer = try orders.challenge(.token(order.rawValue.uppercased()), attempt: 7, id: .event(1))
        #expect(answer == ChallengeAnsweredV1(.bought(), attempt: 7, buyerId: .ada, orderId: order))
        #expect(orders.sent.count == 1)
        #expect(orders.recorded == ["1000: \(EventID.event(1))"])
        #expect(try orders.contents() == before)
    }

    @Test func `by a registered token names its owner, and by an unknown one nobody`() throws {
        try hold()
        let nobody = ChallengeAnsweredV1(.bought(), attempt: 1)
        #expect(try orders.challenge(.token(Self.ownToken)) == nobody)
        _ = try orders.register(Self.ownToken)
        let owner = ChallengeAnsweredV1(.bought(), attempt: 1, buyerId: .ada)
        #expect(try orders.challenge(.token(Self.ownToken)) == owner)
    }

    @Test func `by the token of an order that it cannot pay names that order's buyer alone`() throws {
        try hold()
        let dear = try orders.issue(.request(key: "k-1", product: ProductID(unchecked: "dear"))).orderId
        let paid = try orders.issue(.request(key: "k-2")).orderId
        try orders.propose(.order(paid), .bought("2000"))
        for order in [dear, paid] {
            let answer = try orders.challenge(.token(order.rawValue))
            #expect(answer.buyerId == .ada && answer.orderId == nil)
        }
    }

    @Test func `by an order names its buyer if it can be paid, and was there when the purchase was made`()
        throws
    {
        try hold()
        let order = try orders.issue().orderId
        var facts = TransactionFacts.bought()
        facts.purchaseDate = orders.now.advanced(by: -60_001)
        #expect(try orders.challenge(.order(order), facts).buyerId == nil)
        #expect(try orders.challenge(.token(order.rawValue), facts).orderId == order)
        facts.purchaseDate = orders.now.advanced(by: -60_000)
        let answer = try orders.challenge(.order(order), facts)
        #expect(answer.buyerId == .ada && answer.orderId == order)
        facts.productId = ProductID(unchecked: "dear")
        #expect(try orders.challenge(.order(order), facts).buyerId == nil)
    }

    @Test func `by the order that it pays names that one, under whichever key`() throws {
        let order = try orders.issuePaid()
        for key in ["1000", "900:55"] {
            let facts = TransactionFacts.bought().with(\.purchaseId, PurchaseID(unchecked: key))
            let answer = try orders.challenge(.order(order), facts)
            #expect(answer.buyerId == .ada && answer.orderId == order)
        }
    }

    @Test func `by the order that it has made on the spot names nobody`() throws {
        let order = try orders.pay(.caller(.ada)).orderId
        #expect(try orders.challenge(.order(order), .bought()).buyerId == nil)
    }

    @Test func `by another app's order, or by a buyer, names nobody`() throws {
        let foreign = try orders.issue(.request(app: .otherApp)).orderId
        _ = try orders.issue()
        let candidates: [ClaimCandidate] = [
            .token(foreign.rawValue), .order(foreign), .registered(.ada), .holder(.ada), .caller(.ada),
        ]
        for candidate in candidates {
            #expect(try orders.challenge(candidate) == ChallengeAnsweredV1(.bought(), attempt: 1))
        }
    }
}
