import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Orders

/// One partition of Orders in memory.
typealias OrdersHarness = ServiceHarness<OrdersService>

extension OrderIssueV1 {
    /// Ada's order, with everything filled in that a test does not care about.
    static func request(
        key: String = "key-1",
        app: BundleID = .game,
        buyer: BuyerID = .ada,
        product: ProductID = .coins,
        quantity: Int = 1,
        environment: Environment = .production,
        reference: String? = nil,
        metadata: [String: JSONValue]? = nil,
        onlyOne: Bool? = nil,
        limit: Int? = nil,
        onSale: Bool? = nil
    ) -> OrderIssueV1 {
        OrderIssueV1(
            bundleId: app,
            buyerId: buyer,
            productId: product,
            quantity: quantity,
            environment: environment,
            idempotencyKey: key,
            reference: reference,
            metadata: metadata,
            onlyOne: onlyOne,
            limit: limit,
            onSale: onSale
        )
    }
}

extension OrderID {
    /// An order that this store does not know, unless it has lost it.
    static func elsewhere(_ number: UInt64 = 5) -> OrderID {
        OrderID(time: Timestamp(milliseconds: 1_760_000_000_000), shard: Shard(rawValue: 1), random: number)
    }
}

extension PartitionAddress {
    /// The partition of a service that has Ada's rows, of four.
    static func ofAda(_ service: ServiceName) -> PartitionAddress {
        PartitionAddress(service, PartitionKey.buyer(.ada, of: .game).shard.partition(of: 4))
    }
}

// The messages of the tests.
extension ServiceHarness<OrdersService> {
    convenience init() { self.init(OrdersService()) }

    /// All orders, for tests that nothing has changed.
    func contents() throws -> [Row] { try rows("SELECT * FROM orders ORDER BY 1") }

    func request(_ body: OrderIssueV1) throws -> RequestOutcome<OrderV1> {
        try handle(body, OnOrderIssue().callAsFunction)
    }

    func request(_ body: OrderGetV1) throws -> RequestOutcome<OrderV1> {
        try handle(body, OnOrderGet().callAsFunction)
    }

    func request(_ body: OrderCloseV1) throws -> RequestOutcome<OrderV1> {
        try handle(body, OnOrderClose().callAsFunction)
    }

    func register(
        _ token: String,
        for buyer: BuyerID = .ada
    ) throws -> RequestOutcome<TokenRegisteredV1> {
        let request = TokenRegisterV1(bundleId: .game, appAccountToken: token, buyerId: buyer)
        return try handle(request, OnTokenRegister().callAsFunction)
    }

    /// Issues an order and returns it.
    func issue(_ body: OrderIssueV1 = .request()) throws -> OrderV1 { try #require(request(body).reply) }

    /// Issues an order that the purchase 1000 then pays.
    func issuePaid(_ body: OrderIssueV1 = .request()) throws -> OrderID {
        let id = try issue(body).orderId
        try propose(.order(id))
        return id
    }

    /// Looks an order up.
    func order(_ id: OrderID) throws -> OrderV1 {
        try #require(request(OrderGetV1(bundleId: .game, orderId: id)).reply)
    }

    /// Reports what StoreKit said of an order; returns it.
    @discardableResult
    func report(
        _ id: OrderID,
        _ outcome: OrderReportV1.Outcome,
        _ error: ReportedError? = nil,
        event: EventID? = nil
    ) throws -> OrderV1 {
        let report = OrderReportV1(bundleId: .game, orderId: id, outcome: outcome, error: error)
        return try #require(handle(report, id: event, OnOrderReport().callAsFunction).reply)
    }

    /// A page of Ada's orders.
    func list(
        _ states: [OrderV1.State]? = nil,
        product: ProductID? = nil,
        environment: Environment = .production,
        origins: [OrderV1.Origin]? = nil,
        after: OrderID? = nil,
        limit: Int = 100
    ) throws -> OrdersV1 {
        let request = OrdersListV1(
            bundleId: .game,
            buyerId: .ada,
            environment: environment,
            states: states,
            productId: product,
            origins: origins,
            after: after,
            limit: limit
        )
        return try #require(handle(request, OnOrdersList().callAsFunction).reply)
    }

    /// Closes an order and returns it.
    @discardableResult
    func close(_ id: OrderID, _ reason: OrderCloseReason = .cancelled) throws -> OrderV1 {
        try #require(request(OrderCloseV1(bundleId: .game, orderId: id, reason: reason)).reply)
    }

    /// Proposes a claim; what Orders says of it is in `sent`.
    func propose(
        _ candidate: ClaimCandidate,
        _ facts: TransactionFacts = .bought(),
        by submitter: BuyerID? = .ada,
        attempt: Int = 1,
        id: EventID? = nil
    ) throws {
        let proposal = ClaimProposedV1(
            attempt: attempt,
            candidate: candidate,
            transaction: facts,
            submission: submitter.map { .submission(by: $0) }
        )
        #expect(try handle(proposal, id: id, OnClaimProposed().callAsFunction) == .applied)
    }

    /// Proposes a claim that is held; returns the order that the transaction pays.
    func pay(
        _ candidate: ClaimCandidate,
        _ facts: TransactionFacts = .bought(),
        by submitter: BuyerID? = .ada
    ) throws -> OrderV1 {
        try propose(candidate, facts, by: submitter)
        let id = try only(ClaimHeldV1.self).orderId
        return try #require(database.write { try OrderStore(connection: $0).order(id) }).snapshot
    }

    /// Asks whether the transaction is paid here; what Orders says of it is in `sent`.
    func lookUp(_ facts: TransactionFacts = .bought(), by submitter: BuyerID, attempt: Int) throws {
        let lookup = ClaimLookupV1(
            attempt: attempt,
            transaction: facts,
            submission: .submission(by: submitter)
        )
        #expect(try handle(lookup, OnClaimLookup().callAsFunction) == .applied)
    }

    /// Receipts passes on what Apple says of a claim; what Orders says of it is in `sent`.
    func update(
        _ order: OrderID,
        _ facts: TransactionFacts = .bought(),
        of buyer: BuyerID = .ada,
        by submitter: BuyerID? = .ada,
        isSubmitted: Bool? = nil,
        transferred: Transferred? = nil,
        because evidence: HolderEvidence? = nil,
        id: EventID? = nil
    ) throws {
        let message = TransactionUpdatedV1(
            transaction: facts,
            buyerId: buyer,
            orderId: order,
            isSubmitted: isSubmitted,
            submission: submitter.map { .submission(by: $0) },
            transferred: transferred,
            evidence: evidence
        )
        #expect(try handle(message, id: id, OnTransactionUpdated().callAsFunction) == .applied)
    }

    /// Asks whom a candidate names for a purchase that is held; returns the answer.
    func challenge(
        _ candidate: ClaimCandidate,
        _ facts: TransactionFacts = .bought(),
        attempt: Int = 1,
        id: EventID? = nil
    ) throws -> ChallengeAnsweredV1 {
        let challenge = ClaimChallengedV1(attempt: attempt, candidate: candidate, transaction: facts)
        #expect(try handle(challenge, id: id, OnClaimChallenged().callAsFunction) == .applied)
        return try only(ChallengeAnsweredV1.self)
    }

    /// Receipts says that a purchase is this buyer's now; returns the order that it pays.
    @discardableResult
    func move(
        from former: OrderID,
        to buyer: BuyerID,
        _ named: OrderID? = nil,
        _ facts: TransactionFacts = .bought(),
        transfer: Int = 1,
        id: EventID? = nil
    ) throws -> OrderV1 {
        let moved = ClaimMovedV1(
            transaction: facts,
            buyerId: buyer,
            orderId: named,
            fromOrderId: former,
            transfer: transfer,
            evidence: .token
        )
        #expect(try handle(moved, id: id, OnClaimMoved().callAsFunction) == .applied)
        let paid = try only(ClaimHeldV1.self).orderId
        return try #require(database.write { try OrderStore(connection: $0).order(paid) }).snapshot
    }

    /// Receipts says that an order has lost its purchase.
    func release(
        _ order: OrderID,
        _ purchase: String = "1000",
        transfer: Int = 1,
        id: EventID? = nil
    ) throws {
        let released = OrderReleasedV1(
            bundleId: .game,
            environment: .production,
            orderId: order,
            purchaseId: PurchaseID(unchecked: purchase),
            transfer: transfer
        )
        #expect(try handle(released, id: id, OnOrderReleased().callAsFunction) == .applied)
    }

    /// The ledger answers for an order.
    @discardableResult
    func recordGrant(
        _ order: OrderID,
        _ outcome: GrantOutcome,
        _ transaction: String = "1000",
        of buyer: BuyerID = .ada,
        id: EventID? = nil
    ) throws -> Outcome {
        let recorded = GrantRecordedV1(
            bundleId: .game,
            buyerId: buyer,
            orderId: order,
            purchaseId: PurchaseID(unchecked: transaction),
            outcome: outcome
        )
        return try handle(recorded, id: id, OnGrantRecorded().callAsFunction)
    }
}

extension TransactionFacts {
    /// A purchase as Apple signed it at `signed`, in ms, which was made after all orders of the tests.
    static func bought(
        _ transaction: String = "1000",
        product: String = ProductID.coins.rawValue,
        environment: Environment = .production,
        quantity: Int = 1,
        type: String = "Consumable",
        signed: Int64 = 100,
        refunded: Int? = nil
    ) -> TransactionFacts {
        TransactionFacts.facts(
            transaction,
            product: product,
            environment: environment,
            quantity: quantity,
            type: type,
            signed: signed,
            refunded: refunded
        ).with(\.purchaseDate, Timestamp(milliseconds: 1_790_000_000_000))
    }

    /// A period of a subscription that Apple renewed.
    static func renewal(
        _ transaction: String = "1000",
        product: String = ProductID.coins.rawValue
    ) -> TransactionFacts {
        bought(transaction, product: product, type: ProductType.autoRenewable)
            .with(\.transactionReason, "RENEWAL")
    }

    /// The same with what the app gave to StoreKit.
    func bearing(_ token: String?) -> TransactionFacts { with(\.appAccountToken, token) }
}
