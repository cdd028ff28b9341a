import Contracts
import Domain
import TestKit
import Testing

@testable import Orders

@Suite struct `a rule that is counted` {
    let orders = OrdersHarness()

    static let judgements: [ClaimJudgement] = {
        let order = `an order`.order(.issued, .none)
        return [.repeated(order), .paid(order), .onTheSpot(.ada), .refused(.unknownOrder)]
    }()

    static let candidates: [ClaimCandidate] = [
        .token("a-token"), .registered(.ada), .order(OrderID(unchecked: "o")), .holder(.ada), .caller(.ada),
    ]

    @Test(arguments: judgements, candidates)
    func `is the one of its table`(judgement: ClaimJudgement, candidate: ClaimCandidate) {
        for token in [nil, "a-token", "A-Token"] {
            for submitter in [nil, BuyerID.ada] {
                let proposal = ClaimProposedV1(
                    attempt: 1,
                    candidate: candidate,
                    transaction: .bought().bearing(token),
                    submission: submitter.map { .submission(by: $0) }
                )
                let isHeld =
                    switch judgement {
                    case .paid, .onTheSpot: true
                    case .repeated, .refused: false
                    }
                let rule: CountedRule? =
                    switch candidate {
                    case .token: token == "A-Token" ? .tokenCaseChanged : nil
                    case .order, .caller: token == nil && submitter != nil ? .claimWithoutToken : nil
                    case .registered, .holder: nil
                    }
                #expect(CountedRule.deciding(proposal, judgement) == (isHeld ? rule : nil))
            }
        }
    }

    @Test func `a token in another case pays its order, which is counted once`() throws {
        let id = try orders.issue().orderId
        let facts = TransactionFacts.bought().bearing(id.rawValue.uppercased())
        #expect(try orders.pay(.token(id.rawValue), facts).orderId == id)
        #expect(orders.counts == ["token_case_changed": 1])
        try orders.propose(.token(id.rawValue), facts, attempt: 2)
        #expect(orders.counts.isEmpty, "it is the same payment")
        let other = try orders.issue(.request(key: "k-2")).orderId
        _ = try orders.pay(.token(other.rawValue), .bought("2").bearing(other.rawValue))
        #expect(orders.counts.isEmpty, "it came as it was issued")
    }

    @Test func `a proof without a token falls to the order that it names, else to its submitter`() throws {
        let id = try orders.issue().orderId
        #expect(try orders.pay(.order(id), .bought("1")).orderId == id)
        #expect(orders.counts == ["claims_without_token": 1])
        #expect(try orders.pay(.caller(.ada), .bought("2")).buyerId == .ada)
        #expect(orders.counts == ["claims_without_token": 1])
        _ = try orders.pay(.caller(.ada), .bought("3"), by: nil)
        #expect(orders.counts.isEmpty, "no proof, but Apple's word")
    }

    @Test func `two buyers in the same millisecond have two orders, and each payment goes to its own buyer`()
        throws
    {
        let ada = try orders.issue()
        #expect(orders.counts.isEmpty)
        let eve = try orders.issue(.request(buyer: .eve))
        #expect(orders.counts == ["orders_in_same_millisecond": 1])
        #expect(ada.createdAt == eve.createdAt && ada.orderId != eve.orderId)
        _ = try orders.issue(.request(buyer: .eve))
        #expect(orders.counts.isEmpty, "a repeated request makes no order")
        _ = try orders.issue(.request(key: "k-2", buyer: .eve))
        #expect(orders.counts.isEmpty, "the same buyer")
        for (order, transaction) in [(eve, "1"), (ada, "2")] {
            let paid = try orders.pay(.token(order.orderId.rawValue), .bought(transaction), by: nil)
            #expect(paid.orderId == order.orderId && paid.buyerId == order.buyerId)
        }
        orders.now = orders.now.advanced(by: 1)
        _ = try orders.issue(.request(key: "k-3"))
        #expect(orders.counts.isEmpty, "another millisecond")
        _ = try orders.pay(.caller(.eve), .bought("3", product: "gems.5"), by: nil)
        #expect(orders.counts == ["orders_in_same_millisecond": 1], "one made on the spot is an order, too")
    }

    @Test func `ids of one millisecond do not collide, and each leads to its buyer`() throws {
        var ids: Set<OrderID> = []
        for number in 0..<200 {
            let buyer = BuyerID(unchecked: "b-\(number % 10)")
            let id = try orders.issue(.request(key: "k-\(number)", buyer: buyer)).orderId
            #expect(id.shard == PartitionKey.buyer(buyer, of: .game).shard)
            ids.insert(id)
        }
        #expect(ids.count == 200)
    }
}
