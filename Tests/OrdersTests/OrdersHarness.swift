import Contracts
import Database
import Domain
import Foundation
import OrdersCore
import Testing

@testable import Delivery
@testable import Orders

/// One partition of Orders in memory: runs handlers in real transactions and keeps what they send.
final class OrdersHarness {
    static let bundle = BundleID(unchecked: "com.example.game")
    static let buyer = BuyerID(unchecked: "ada")
    static let product = ProductID(unchecked: "coins.100")

    let database: SQLiteDatabase
    let partitions = 4
    var now = Timestamp(milliseconds: 1_760_000_000_000)
    private(set) var sent: [Sent] = []
    /// The ids of the messages that the last one had kept for `trace`, with their stories.
    private(set) var kept: [String] = []
    private let identifiers = IdentifierSource(seed: 7)

    /// An event that a handler sent.
    struct Sent: Equatable {
        let to: PartitionAddress
        let type: EventType
        let subject: String
        let bytes: [UInt8]

        /// The event, if it is of this contract.
        func event<Body: Contract>(_ type: Body.Type) throws -> Event<Body> {
            try JSONDecoder().decode(Written<Body>.self, from: Data(bytes)).event
        }
    }

    private struct Written<Body: Contract>: Decodable {
        let event: Event<Body>
        init(from decoder: any Decoder) throws {
            event = try Event(from: try decoder.container(keyedBy: EventKeys.self))
        }
    }

    init() throws {
        database = try SQLiteDatabase(path: ":memory:")
        try database.write { try OrdersSchema.schema.migrate($0) }
    }

    /// Hands one message to a handler in one transaction; `sent` is then what this message led to.
    func handle<Body: Contract, Answer>(
        _ data: Body,
        id: EventID? = nil,
        _ handler: (Event<Body>, inout HandlerContext) throws -> Answer
    ) throws -> Answer {
        let event = Event(
            id: id ?? identifiers.eventID(),
            source: "/test",
            time: now,
            subject: "test",
            causationID: EventID(unchecked: "cause"),
            data: data
        )
        return try transact(cause: event.id) { try handler(event, &$0) }
    }

    /// Runs `body` in one transaction; `sent` is then what it has sent.
    func transact<Value>(
        cause: EventID? = nil,
        _ body: (inout HandlerContext) throws -> Value
    ) throws -> Value {
        sent = []
        return try database.write { connection in
            var context = HandlerContext(
                connection: connection,
                now: now,
                address: PartitionAddress(.orders, 0),
                partitions: partitions,
                identifiers: identifiers,
                encoder: EventCoder.encoder()
            )
            context.cause = cause
            let value = try body(&context)
            kept = context.steps.map { "\($0.story): \($0.entry.id)" }
            sent = context.sent.map {
                Sent(to: $0.to, type: $0.type, subject: $0.subject, bytes: $0.bytes)
            }
            return value
        }
    }

    /// The only event of a contract that the last message led to.
    func only<Body: Contract>(_ type: Body.Type) throws -> Body {
        let events = sent.filter { $0.type == Body.type }
        try #require(events.count == 1, "\(Body.type) was sent \(events.count) times")
        return try events[0].event(Body.self).data
    }

    /// Everything in a table, for tests that nothing has changed.
    func rows(of table: String) throws -> [Row] {
        try database.write { try $0.rows("SELECT * FROM \(table) ORDER BY 1") }
    }
}

// The messages of the tests, with everything they do not care about filled in.
extension OrdersHarness {
    static func request(
        key: String = "key-1",
        buyer: BuyerID = buyer,
        product: ProductID = product,
        environment: Environment = .production,
        reference: String? = nil,
        metadata: [String: JSONValue]? = nil
    ) -> OrderIssueV1 {
        OrderIssueV1(
            bundleId: bundle,
            buyerId: buyer,
            productId: product,
            quantity: 1,
            environment: environment,
            idempotencyKey: key,
            reference: reference,
            metadata: metadata
        )
    }

    static func facts(
        _ transaction: String = "1000",
        product: ProductID = product,
        environment: Environment = .production,
        quantity: Int = 1,
        signedDate: Int64 = 1_760_000_000_500
    ) -> TransactionFacts {
        TransactionFacts(
            environment: environment,
            bundleId: bundle,
            transactionId: TransactionID(unchecked: transaction),
            originalTransactionId: TransactionID(unchecked: transaction),
            productId: product,
            quantity: quantity,
            type: "Consumable",
            purchaseDate: Timestamp(milliseconds: 1_760_000_000_400),
            signedDate: Timestamp(milliseconds: signedDate)
        )
    }

    static func submission(by submitter: BuyerID = buyer) -> Submission {
        let shard = PartitionKey.buyer(submitter, of: bundle).shard
        return Submission(
            receiptId: ReceiptID(shard: shard, digest: Array(repeating: 7, count: 16)),
            submitter: submitter
        )
    }

    /// Issues an order and returns it.
    func issue(_ request: OrderIssueV1 = request()) throws -> OrderV1 {
        try reply(handle(request, OnOrderIssue().callAsFunction))
    }

    /// Looks an order up.
    func order(_ id: OrderID) throws -> OrderV1 {
        try reply(handle(OrderGetV1(bundleId: Self.bundle, orderId: id), OnOrderGet().callAsFunction))
    }

    /// Closes an order and returns it.
    func close(_ id: OrderID, _ reason: OrderCloseReason = .cancelled) throws -> OrderV1 {
        let request = OrderCloseV1(bundleId: Self.bundle, orderId: id, reason: reason)
        return try reply(handle(request, OnOrderClose().callAsFunction))
    }

    /// Proposes a claim; what Orders says of it is in `sent`.
    func propose(
        _ candidate: ClaimCandidate,
        _ facts: TransactionFacts = facts(),
        by submitter: BuyerID? = buyer,
        attempt: Int = 1
    ) throws {
        let proposal = ClaimProposedV1(
            attempt: attempt,
            candidate: candidate,
            transaction: facts,
            submission: submitter.map { Self.submission(by: $0) }
        )
        #expect(try handle(proposal, OnClaimProposed().callAsFunction) == .applied)
    }

    /// Asks whether the transaction is paid here; what Orders says of it is in `sent`.
    func seek(_ facts: TransactionFacts = facts(), by submitter: BuyerID, attempt: Int) throws {
        let sought = ClaimLookupV1(
            attempt: attempt,
            transaction: facts,
            submission: Self.submission(by: submitter)
        )
        #expect(try handle(sought, OnClaimLookup().callAsFunction) == .applied)
    }

    /// The ledger answers for an order.
    func settle(_ order: OrderID, _ outcome: GrantOutcome, _ transaction: String = "1000") throws -> Outcome {
        let settled = GrantSettledV1(
            bundleId: Self.bundle,
            buyerId: Self.buyer,
            orderId: order,
            purchaseId: PurchaseID(unchecked: transaction),
            outcome: outcome
        )
        return try handle(settled, OnGrantSettled().callAsFunction)
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
    func refusal<Reply>(_ outcome: RequestOutcome<Reply>) throws -> RequestRefusal {
        guard case .refused(let refusal) = outcome else {
            Issue.record("not refused: \(outcome)")
            throw CancellationError()
        }
        return refusal
    }
}
