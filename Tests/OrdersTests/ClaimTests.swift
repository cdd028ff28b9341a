import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery

@Suite struct `claims on a transaction` {
    private static let foreignToken = "f47ac10b-58cc-4372-a567-0e02b2c3d479"

    let orders = OrdersHarness()

    @Test
    func `a token that names an order pays it, answers Receipts and asks the ledger, in one transaction`()
        throws
    {
        let metadata: [String: JSONValue] = ["shop": .string("summer")]
        let order = try orders.issue(.request(reference: "R-1", metadata: metadata))
        orders.now = orders.now.advanced(by: 5_000)
        try orders.propose(.token(order.orderId.rawValue.uppercased()), attempt: 3)

        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.attempt == 3)
        #expect(held.orderId == order.orderId && held.buyerId == .ada)
        let grant = try orders.only(PurchaseReportedV1.self)
        #expect(grant.order == OrderTerms(orderId: order.orderId, reference: "R-1", metadata: metadata))
        #expect(grant.evidence == .token)
        #expect(grant.submission == .submission())
        #expect(grant.transaction == .bought())
        #expect(orders.sent.count == 2)

        let paid = try orders.order(order.orderId)
        #expect(paid.state == .paid && paid.paidAt == orders.now)
        #expect(paid.transactionId == TransactionFacts.bought().transactionId)
        #expect(paid.late == nil)
    }

    @Test(arguments: [(BuyerID.ada, false), (nil, true)])
    func
        `only an answer to a proposal without a submission is urgent: a phone may have come to the claim since`(
            submitter: BuyerID?,
            isUrgent: Bool
        ) throws
    {
        let order = try orders.issue(.request())
        try orders.propose(.token(order.orderId.rawValue), by: submitter)
        #expect(orders.sent.filter { $0.type == ClaimHeldV1.type }.map(\.isUrgent) == [isUrgent])
        #expect(orders.sent.filter { $0.type == PurchaseReportedV1.type }.map(\.isUrgent) == [true])
    }

    @Test func `answers go to the transaction's partition, requests to the buyer's`() throws {
        try orders.propose(.caller(.ada))
        let chain = PartitionKey.chain(TransactionFacts.bought().originalTransactionId, of: .game).shard
        let receipts = PartitionAddress(.receipts, chain.partition(of: orders.partitions))
        #expect(orders.sent.map(\.to) == [receipts, .ofAda(.entitlements)])
        #expect(orders.sent.map(\.subject) == ["com.example.game/1000", "com.example.game/ada"])
    }

    @Test(arguments: [
        (
            "the token of a dear order on a cheap payment gets a cheap order of its own",
            ProductID(unchecked: "coins.9000"), TransactionFacts.bought(), false
        ),
        (
            "a production order is not paid with sandbox money", .coins, .bought(environment: .sandbox),
            false
        ),
        (
            "a token used twice pays its order once, and the second payment gets its own", .coins,
            .bought("2000", quantity: 4), true
        ),
    ])
    func `the token of an order that a payment does not fit tells only who the buyer is`(
        promise: String,
        product: ProductID,
        facts: TransactionFacts,
        isPaidBefore: Bool
    ) throws {
        let id = try orders.issue(.request(product: product, reference: "R-1")).orderId
        if isPaidBefore { try orders.propose(.token(id.rawValue)) }
        let before = try orders.order(id)
        let made = try orders.pay(.token(id.rawValue), facts)
        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.buyerId == .ada && held.environment == facts.environment, "\(promise)")
        #expect(try orders.only(PurchaseReportedV1.self).order == OrderTerms(orderId: made.orderId))
        #expect(made.orderId != id && made.state == .paid && made.reference == nil)
        #expect(made.productId == .coins && made.quantity == facts.quantity)
        #expect(made.environment == facts.environment)
        #expect(made.sandboxOf == (made.environment == .sandbox ? id : nil))
        #expect(try orders.order(id) == before)
    }

    @Test func `a late payment reopens a closed order and is flagged`() throws {
        let id = try orders.issue().orderId
        try orders.close(id, .expired)
        let order = try orders.pay(.token(id.rawValue))
        #expect(try orders.only(PurchaseReportedV1.self).order.late == true)
        #expect(order.orderId == id && order.state == .paid)
        #expect(order.late == true && order.closeReason == nil)
    }

    @Test(arguments: [
        ClaimCandidate.token(foreignToken), .registered(.eve), .caller(.eve), .order(.elsewhere()),
    ])
    func `a proposal again has the same answer whatever it proposes`(candidate: ClaimCandidate) throws {
        let order = try orders.issue()
        try orders.propose(.token(order.orderId.rawValue))
        var expected = try orders.only(ClaimHeldV1.self)
        let before = try orders.contents()
        try orders.propose(candidate, by: .eve, attempt: 2)
        expected.attempt = 2
        #expect(try orders.only(ClaimHeldV1.self) == expected)
        let grant = try orders.only(PurchaseReportedV1.self)
        #expect(grant.buyerId == .ada && grant.submission == nil)
        #expect(try orders.contents() == before)
    }

    @Test
    func `a transaction that is sought is found where it was paid, and the submission's verdict comes home`()
        throws
    {
        try orders.propose(.caller(.ada))
        var expected = try orders.only(ClaimHeldV1.self)
        expected.attempt = 7
        let before = try orders.contents()
        for submitter in [BuyerID.ada, .eve] {
            try orders.lookUp(by: submitter, attempt: 7)
            #expect(try orders.only(ClaimHeldV1.self) == expected)
            let submission = try orders.only(PurchaseReportedV1.self).submission
            #expect(submission == (submitter == .eve ? nil : .submission()))
        }
        #expect(try orders.contents() == before)
    }

    @Test
    func `a transaction that is sought where it was not paid is refused, though the submitter has an order`()
        throws
    {
        _ = try orders.issue()
        let before = try orders.contents()
        try orders.lookUp(by: .ada, attempt: 3)
        let refused = try orders.only(ClaimRefusedV1.self)
        #expect(refused.reason == .unknownOrder && refused.attempt == 3)
        #expect(orders.sent.count == 1)
        #expect(try orders.contents() == before)
    }

    @Test func `a repeated proposal with a newer signature keeps what Apple said last`() throws {
        let refunded = TransactionFacts.bought(signed: 900, refunded: 100_000)
        for facts in [.bought(), refunded, .bought()] { try orders.propose(.caller(.ada), facts) }
        try orders.redrive(to: .ofAda(.entitlements))
        #expect(try orders.only(PurchaseReportedV1.self).transaction == refunded)
    }

    @Test func `an app's own token leads to the buyer who registered it`() throws {
        _ = try orders.register(Self.foreignToken.uppercased(), for: .eve)
        try orders.propose(.token(Self.foreignToken), attempt: 5)
        let refused = try orders.only(ClaimRefusedV1.self)
        #expect(refused.reason == .registered && refused.buyerId == .eve && refused.attempt == 5)
        #expect(orders.sent.map(\.type) == [ClaimRefusedV1.type])
        #expect(try orders.pay(.registered(.eve)).buyerId == .eve)
    }

    @Test func `a foreign token is refused without a trace`() throws {
        let elsewhere = try OrdersHarness().issue().orderId
        for token in [Self.foreignToken, elsewhere.rawValue] {
            try orders.propose(.token(token))
            #expect(try orders.only(ClaimRefusedV1.self).reason == .unknownOrder)
            #expect(try orders.only(ClaimRefusedV1.self).buyerId == nil)
        }
        #expect(try orders.contents().isEmpty)
    }

    @Test func `another app's order is no order, neither as token nor as hint`() throws {
        let id = try orders.issue(.request(app: .otherApp)).orderId
        for candidate in [ClaimCandidate.token(id.rawValue), .order(id)] {
            try orders.propose(candidate)
            #expect(try orders.only(ClaimRefusedV1.self).reason == .unknownOrder)
        }
    }

    @Test(arguments: [BuyerID.eve, nil])
    func `the order that a submission names is paid whoever submits it, even nobody`(
        submitter: BuyerID?
    ) throws {
        let order = try orders.issue()
        #expect(try orders.pay(.order(order.orderId), by: submitter).orderId == order.orderId)
        #expect(try orders.only(ClaimHeldV1.self).buyerId == .ada)
        let grant = try orders.only(PurchaseReportedV1.self)
        #expect(grant.buyerId == .ada && grant.submission == nil)
    }

    @Test func `a named order of another product, or paid already, is only a wrong hint`() throws {
        let dear = try orders.issue(.request(product: ProductID(unchecked: "coins.9000")))
        try orders.propose(.order(dear.orderId))
        #expect(try orders.only(ClaimRefusedV1.self).reason == .otherProduct)
        let order = try orders.issue(.request(key: "key-2"))
        try orders.propose(.order(order.orderId), .bought("2000"))
        let before = try orders.contents()
        try orders.propose(.order(order.orderId), .bought("3000"))
        #expect(try orders.only(ClaimRefusedV1.self).reason == .alreadyPaid)
        #expect(try orders.contents() == before)
    }

    @Test func `a caller's oldest open order for the product is paid first`() throws {
        let ids = try ["key-1", "key-2", "key-3"].map { key in
            orders.now = orders.now.advanced(by: 1_000)
            return try orders.issue(.request(key: key)).orderId
        }
        try orders.close(ids[1])
        let paid = try ["1000", "2000", "3000"].map { try orders.pay(.caller(.ada), .bought($0)).orderId }
        #expect(paid.prefix(2) == [ids[0], ids[2]])
        #expect(paid[2] != ids[1], "a closed order is not paid by guess")
        #expect(try orders.order(ids[1]).state == .closed)
    }

    @Test func `a caller without an order gets one on the spot that says what was bought`() throws {
        let order = try orders.pay(.caller(.eve), .bought(quantity: 3), by: .eve)
        #expect(try orders.only(ClaimHeldV1.self).buyerId == .eve)
        #expect(order.orderId.shard == PartitionKey.buyer(.eve, of: .game).shard)
        #expect(order.state == .paid && order.quantity == 3 && order.late == nil)
    }
}
