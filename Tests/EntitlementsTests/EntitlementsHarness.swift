import Contracts
import Database
import Domain
import Foundation
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// One partition of Entitlements in memory.
final class EntitlementsHarness: HarnessWrapper {
    static let bundle = BundleID(unchecked: "com.example.game")
    static let buyer = BuyerID(unchecked: "ada")
    static let order = OrderTerms(
        orderId: OrderID(
            time: Timestamp(milliseconds: 1_760_000_000_000),
            shard: Shard(rawValue: 5),
            random: 1
        ),
        reference: "studio-17",
        metadata: ["level": .integer(3)]
    )

    let harness: ServiceHarness<EntitlementsService>
    /// What is sold; a test may change it while the service runs.
    private(set) var catalog = Catalog(products: [])

    init() throws {
        harness = try ServiceHarness(now: Timestamp(milliseconds: 1_760_000_001_000))
        let coins = Catalog.Grant(entitlement: "coins", amount: 50)
        let castle = Catalog.Grant(entitlement: "castle")
        sell("coins.100", [.init(entitlement: "coins", amount: 100)])
        sell("castle", [castle])
        sell("bundle", [coins, castle])
        sell("old.replaced", [coins], retired: .compensation([.init(entitlement: "gems", amount: 7)]))
        sell("old.undecided", [coins], retired: .undecided)
    }

    /// Puts a product into the catalog, before its former entry.
    func sell(_ product: String, _ grants: [Catalog.Grant], retired: Catalog.Retirement? = nil) {
        let entry = Catalog.Product(
            productId: ProductID(unchecked: product),
            type: .consumable,
            grants: grants,
            retired: retired
        )
        catalog = Catalog(products: [entry] + catalog.products)
    }

    /// Hands one message to a handler in one transaction; `sent` is then what this message led to.
    func handle<Body: Contract, Answer>(
        _ data: Body,
        _ handler: (Event<Body>, inout HandlerContext) throws -> Answer
    ) throws -> Answer {
        try harness.handle(data, handler)
    }

    /// Runs `body` in one transaction; `sent` is then what it has sent.
    func transact<Value>(
        cause: EventID? = nil,
        _ body: (inout HandlerContext) throws -> Value
    ) throws -> Value {
        try harness.transact(cause: cause, body)
    }

    /// The events of a contract that the last message led to.
    func events<Body: Contract>(_ type: Body.Type) throws -> [Event<Body>] {
        try harness.sent.filter { $0.type == Body.type }.map { try $0.decoded() }
    }

    /// Everything in the tables, to see that nothing has changed.
    func contents() throws -> [[Row]] {
        try harness.database.write { connection in
            try ["grants", "ledger", "balance", "possession"].map {
                try connection.rows("SELECT * FROM \(raw: $0) ORDER BY 1, 2, 3, 4")
            }
        }
    }
}

// The messages of the tests, with everything they do not care about filled in.

extension TransactionFacts {
    static func facts(
        _ transaction: String = "1000",
        product: String = "coins.100",
        environment: Environment = .production,
        quantity: Int = 1,
        type: String = "Consumable",
        signed: Int64 = 100,
        refunded: Int? = nil
    ) -> TransactionFacts {
        var facts = TransactionFacts(
            environment: environment,
            bundleId: EntitlementsHarness.bundle,
            transactionId: TransactionID(unchecked: transaction),
            originalTransactionId: TransactionID(unchecked: transaction),
            productId: ProductID(unchecked: product),
            quantity: quantity,
            type: type,
            purchaseDate: Timestamp(milliseconds: 50),
            signedDate: Timestamp(milliseconds: signed)
        )
        guard let refunded else { return facts }
        facts.revocationDate = Timestamp(milliseconds: signed)
        facts.revocationType = refunded == 100_000 ? "REFUND_FULL" : "REFUND_PRORATED"
        facts.revocationPercentage = refunded
        return facts
    }
}

extension EntitlementsHarness {
    static let submission = Submission(
        receiptId: ReceiptID(
            shard: PartitionKey.buyer(buyer, of: bundle).shard,
            digest: Array(repeating: 7, count: 16)
        ),
        submitter: buyer
    )

    /// What one grant request came to.
    struct Result {
        var outcome: Outcome
        var change: EntitlementChangedV1?
        var settled: GrantOutcome?
        /// The lines that were added, as `kind entitlement amount`.
        var lines: [String] {
            (change?.entries ?? []).map { "\($0.kind.rawValue) \($0.entitlement) \($0.amount)" }
        }
    }

    /// Asks for a grant; what follows from it is the result.
    @discardableResult
    func grant(
        _ facts: TransactionFacts = .facts(),
        to buyer: BuyerID = buyer,
        submitted: Bool = true
    ) throws -> Result {
        let request = GrantRequestedV1(
            buyerId: buyer,
            order: Self.order,
            transaction: facts,
            submission: submitted ? Self.submission : nil
        )
        let outcome = try handle(request, OnGrantRequested(catalog: catalog).callAsFunction)
        let changes = try events(EntitlementChangedV1.self)
        let settled = try events(GrantSettledV1.self)
        // A grant and what was paid back before it are two changes; the last one answers.
        #expect(changes.count <= 2 && settled.count <= 1)
        #expect(changes.dropLast().allSatisfy { $0.data.submission == nil && !$0.data.entries.isEmpty })
        return Result(outcome: outcome, change: changes.last?.data, settled: settled.first?.data.outcome)
    }

    /// What the buyer holds.
    func holdings(
        _ environment: Environment = .production,
        of buyer: BuyerID = buyer
    ) throws -> EntitlementsV1 {
        let request = EntitlementsGetV1(bundleId: Self.bundle, buyerId: buyer, environment: environment)
        return try reply(handle(request, OnEntitlementsGet().callAsFunction))
    }

    /// A page of the buyer's ledger.
    func ledger(
        after: String? = nil,
        limit: Int = 100,
        environment: Environment? = nil
    ) throws -> RequestOutcome<LedgerV1> {
        let request = LedgerGetV1(
            bundleId: Self.bundle,
            buyerId: Self.buyer,
            environment: environment,
            after: after,
            limit: limit
        )
        return try handle(request, OnLedgerGet().callAsFunction)
    }

    /// The reply, where a request had one.
    func reply<Reply>(_ outcome: RequestOutcome<Reply>) throws -> Reply {
        guard case .reply(let reply) = outcome else {
            Issue.record("no reply: \(outcome)")
            throw CancellationError()
        }
        return reply
    }

    /// The refusal, where a request had one.
    func refusal<Reply>(_ outcome: RequestOutcome<Reply>) -> RequestRefusal? {
        guard case .refused(let refusal) = outcome else { return nil }
        return refusal
    }
}
