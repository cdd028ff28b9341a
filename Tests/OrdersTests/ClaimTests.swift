import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `claims on a transaction` {
    let orders: OrdersHarness
    let eve = BuyerID.eve

    init() throws { orders = try OrdersHarness() }

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
        let grant = try orders.only(GrantRequestedV1.self)
        #expect(grant.order == OrderTerms(orderId: order.orderId, reference: "R-1", metadata: metadata))
        #expect(grant.submission == .submission())
        #expect(grant.transaction == .facts())
        #expect(orders.sent.count == 2)

        let paid = try orders.order(order.orderId)
        #expect(paid.state == .paid && paid.paidAt == orders.now)
        #expect(paid.transactionId == TransactionFacts.facts().transactionId)
        #expect(paid.late == nil)
    }

    @Test func `answers go to the transaction's partition, requests to the buyer's`() throws {
        try orders.propose(.caller(.ada))
        let facts = TransactionFacts.facts()
        let bundle = BundleID.game
        let receipts = PartitionKey.chain(facts.originalTransactionId, of: bundle).shard
        let entitlements = PartitionKey.buyer(.ada, of: bundle).shard
        #expect(
            orders.sent.map(\.to) == [
                PartitionAddress(.receipts, receipts.partition(of: orders.partitions)),
                PartitionAddress(.entitlements, entitlements.partition(of: orders.partitions)),
            ]
        )
        #expect(orders.sent.map(\.subject) == ["\(bundle)/1000", "\(bundle)/ada"])
    }

    @Test func `the token of a dear order on a cheap payment gets a cheap order of its own`() throws {
        let dear = try orders.issue(.request(product: ProductID(unchecked: "coins.9000"), reference: "R-1"))
        try orders.propose(.token(dear.orderId.rawValue))
        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.orderId != dear.orderId && held.buyerId == .ada)
        #expect(try orders.only(GrantRequestedV1.self).order == OrderTerms(orderId: held.orderId))
        let made = try orders.order(held.orderId)
        #expect(made.productId == .coins && made.state == .paid && made.reference == nil)
        #expect(try orders.order(dear.orderId) == dear)
    }

    @Test func `a production order is not paid with sandbox money`() throws {
        let order = try orders.issue()
        try orders.propose(.token(order.orderId.rawValue), .facts(environment: .sandbox))
        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.orderId != order.orderId && held.environment == .sandbox)
        #expect(try orders.order(held.orderId).environment == .sandbox)
        #expect(try orders.order(order.orderId).state == .issued)
    }

    @Test func `a token used twice pays its order once, and the second payment gets its own`() throws {
        let order = try orders.issue()
        try orders.propose(.token(order.orderId.rawValue), .facts("1000"))
        try orders.propose(.token(order.orderId.rawValue), .facts("2000", quantity: 4))
        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.orderId != order.orderId && held.buyerId == .ada)
        #expect(try orders.order(held.orderId).quantity == 4)
        #expect(try orders.order(order.orderId).transactionId?.rawValue == "1000")
    }

    @Test func `a late payment reopens a closed order and is flagged`() throws {
        let id = try orders.issue().orderId
        _ = try orders.close(id, .expired)
        try orders.propose(.token(id.rawValue))
        #expect(try orders.only(ClaimHeldV1.self).orderId == id)
        #expect(try orders.only(GrantRequestedV1.self).order.late == true)
        let order = try orders.order(id)
        #expect(order.state == .paid && order.late == true && order.closeReason == nil)
    }

    @Test(arguments: ["token", "order", "registered", "caller"])
    func `a proposal again has the same answer whatever it proposes`(kind: String) throws {
        let order = try orders.issue()
        try orders.propose(.token(order.orderId.rawValue))
        let held = try orders.only(ClaimHeldV1.self)
        let before = try orders.rows(of: "orders")
        let other = try OrdersHarness().issue(.request(buyer: eve)).orderId
        let candidate: ClaimCandidate =
            switch kind {
            case "token": .token("f47ac10b-58cc-4372-a567-0e02b2c3d479")
            case "order": .order(other)
            case "registered": .registered(eve)
            default: .caller(eve)
            }
        try orders.propose(candidate, by: eve, attempt: 2)
        var expected = held
        expected.attempt = 2
        #expect(try orders.only(ClaimHeldV1.self) == expected)
        let grant = try orders.only(GrantRequestedV1.self)
        #expect(grant.buyerId == .ada && grant.submission == nil)
        #expect(try orders.rows(of: "orders") == before)
    }

    @Test
    func `a transaction that is sought is found where it was paid, and the submission's verdict comes home`()
        throws
    {
        try orders.propose(.caller(.ada))
        let held = try orders.only(ClaimHeldV1.self)
        let before = try orders.rows(of: "orders")
        for submitter in [.ada, eve] {
            try orders.lookUp(by: submitter, attempt: 7)
            var expected = held
            expected.attempt = 7
            #expect(try orders.only(ClaimHeldV1.self) == expected)
            let submission = try orders.only(GrantRequestedV1.self).submission
            #expect(submission == (submitter == eve ? nil : .submission()))
        }
        #expect(try orders.rows(of: "orders") == before)
    }

    @Test
    func `a transaction that is sought where it was not paid is refused, though the submitter has an order`()
        throws
    {
        _ = try orders.issue()
        let before = try orders.rows(of: "orders")
        try orders.lookUp(by: .ada, attempt: 3)
        let refused = try orders.only(ClaimRefusedV1.self)
        #expect(refused.reason == .unknownOrder && refused.attempt == 3)
        #expect(orders.sent.count == 1)
        #expect(try orders.rows(of: "orders") == before)
    }

    @Test func `a repeated proposal with a newer signature keeps what Apple said last`() throws {
        try orders.propose(.caller(.ada))
        var refunded = TransactionFacts.facts(signedDate: 1_760_000_900_000)
        refunded.revocationDate = Timestamp(milliseconds: 1_760_000_800_000)
        try orders.propose(.caller(.ada), refunded)
        try orders.propose(.caller(.ada))
        try orders.transact { _ = try OrdersService().redrive(to: $0.ledger, after: [], in: &$0) }
        #expect(try orders.only(GrantRequestedV1.self).transaction == refunded)
    }

    @Test func `an app's own token leads to the buyer who registered it`() throws {
        let token = "F47AC10B-58CC-4372-A567-0E02B2C3D479"
        let request = TokenRegisterV1(bundleId: .game, appAccountToken: token, buyerId: eve)
        _ = try orders.handle(request, OnTokenRegister().callAsFunction)
        try orders.propose(.token(token.lowercased()), attempt: 5)
        let refused = try orders.only(ClaimRefusedV1.self)
        #expect(refused.reason == .registered && refused.buyerId == eve && refused.attempt == 5)
        #expect(orders.sent.map(\.type) == [ClaimRefusedV1.type])
        try orders.propose(.registered(eve))
        #expect(try orders.only(ClaimHeldV1.self).buyerId == eve)
    }

    @Test func `a foreign token is refused without a trace`() throws {
        let elsewhere = try OrdersHarness().issue().orderId
        for token in ["f47ac10b-58cc-4372-a567-0e02b2c3d479", elsewhere.rawValue] {
            try orders.propose(.token(token))
            #expect(try orders.only(ClaimRefusedV1.self).reason == .unknownOrder)
            #expect(try orders.only(ClaimRefusedV1.self).buyerId == nil)
        }
        #expect(try orders.rows(of: "orders").isEmpty)
    }

    @Test func `another app's order is no order, neither as token nor as hint`() throws {
        var request = OrderIssueV1.request()
        request.bundleId = BundleID(unchecked: "com.example.other")
        let id = try orders.issue(request).orderId
        for candidate in [ClaimCandidate.token(id.rawValue), .order(id)] {
            try orders.propose(candidate)
            #expect(try orders.only(ClaimRefusedV1.self).reason == .unknownOrder)
        }
    }

    @Test func `the order that a submission names is paid whoever submits it`() throws {
        let order = try orders.issue()
        try orders.propose(.order(order.orderId), by: eve)
        #expect(try orders.only(ClaimHeldV1.self).buyerId == .ada)
        let grant = try orders.only(GrantRequestedV1.self)
        #expect(grant.buyerId == .ada && grant.submission == nil)
    }

    @Test func `a named order of another product, or paid already, is only a wrong hint`() throws {
        let dear = try orders.issue(.request(product: ProductID(unchecked: "coins.9000")))
        try orders.propose(.order(dear.orderId))
        #expect(try orders.only(ClaimRefusedV1.self).reason == .otherProduct)
        let order = try orders.issue(.request(key: "key-2"))
        try orders.propose(.order(order.orderId), .facts("2000"))
        let before = try orders.rows(of: "orders")
        try orders.propose(.order(order.orderId), .facts("3000"))
        #expect(try orders.only(ClaimRefusedV1.self).reason == .alreadyPaid)
        #expect(try orders.rows(of: "orders") == before)
    }

    @Test func `a caller's oldest open order for the product is paid first`() throws {
        let first = try orders.issue(.request(key: "key-1"))
        orders.now = orders.now.advanced(by: 1_000)
        let closed = try orders.issue(.request(key: "key-2"))
        _ = try orders.close(closed.orderId)
        orders.now = orders.now.advanced(by: 1_000)
        let second = try orders.issue(.request(key: "key-3"))
        var paid: [OrderID] = []
        for transaction in ["1000", "2000", "3000"] {
            try orders.propose(.caller(.ada), .facts(transaction))
            paid.append(try orders.only(ClaimHeldV1.self).orderId)
        }
        #expect(paid.prefix(2) == [first.orderId, second.orderId])
        #expect(paid[2] != closed.orderId, "a closed order is not paid by guess")
        #expect(try orders.order(closed.orderId).state == .closed)
    }

    @Test func `a caller without an order gets one on the spot that says what was bought`() throws {
        try orders.propose(.caller(eve), .facts(quantity: 3), by: eve)
        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.buyerId == eve)
        #expect(held.orderId.shard == PartitionKey.buyer(eve, of: .game).shard)
        let order = try orders.order(held.orderId)
        #expect(order.state == .paid && order.quantity == 3 && order.late == nil)
    }

    @Test func `without a submission the ledger is asked all the same`() throws {
        let order = try orders.issue()
        try orders.propose(.token(order.orderId.rawValue), by: nil)
        #expect(try orders.only(GrantRequestedV1.self).submission == nil)
    }
}

extension HandlerContext {
    /// The partition of Entitlements that holds the ledger of the tests' buyer.
    var ledger: PartitionAddress {
        let shard = PartitionKey.buyer(.ada, of: .game).shard
        return PartitionAddress(.entitlements, shard.partition(of: partitions))
    }
}
