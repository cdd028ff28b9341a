import Contracts
import Database
import Domain
import Foundation
import TestKit
import Testing

@testable import Delivery
@testable import Orders

/// One partition of Orders in memory.
typealias OrdersHarness = ServiceHarness<OrdersService>

// The values of the tests, with everything they do not care about filled in.

extension BundleID {
    static let game = BundleID(unchecked: "com.example.game")
}

extension BuyerID {
    static let ada = BuyerID(unchecked: "ada")
    static let eve = BuyerID(unchecked: "eve")
}

extension ProductID {
    static let coins = ProductID(unchecked: "coins.100")
}

extension OrderIssueV1 {
    static func request(
        key: String = "key-1",
        buyer: BuyerID = .ada,
        product: ProductID = .coins,
        environment: Environment = .production,
        reference: String? = nil,
        metadata: [String: JSONValue]? = nil
    ) -> OrderIssueV1 {
        OrderIssueV1(
            bundleId: .game,
            buyerId: buyer,
            productId: product,
            quantity: 1,
            environment: environment,
            idempotencyKey: key,
            reference: reference,
            metadata: metadata
        )
    }
}

extension TransactionFacts {
    static func facts(
        _ transaction: String = "1000",
        product: ProductID = .coins,
        environment: Environment = .production,
        quantity: Int = 1,
        signedDate: Int64 = 1_760_000_000_500
    ) -> TransactionFacts {
        TransactionFacts(
            environment: environment,
            bundleId: .game,
            transactionId: TransactionID(unchecked: transaction),
            originalTransactionId: TransactionID(unchecked: transaction),
            productId: product,
            quantity: quantity,
            type: "Consumable",
            purchaseDate: Timestamp(milliseconds: 1_760_000_000_400),
            signedDate: Timestamp(milliseconds: signedDate)
        )
    }
}

extension Submission {
    static func submission(by submitter: BuyerID = .ada) -> Submission {
        let shard = PartitionKey.buyer(submitter, of: .game).shard
        return Submission(
            receiptId: ReceiptID(shard: shard, digest: Array(repeating: 7, count: 16)),
            submitter: submitter
        )
    }
}

// The messages of the tests.
extension ServiceHarness<OrdersService> {
    /// Everything in a table, for tests that nothing has changed.
    func rows(of table: String) throws -> [Row] { try rows("SELECT * FROM \(table) ORDER BY 1") }

    /// Issues an order and returns it.
    func issue(_ request: OrderIssueV1 = .request()) throws -> OrderV1 {
        try reply(handle(request, OnOrderIssue().callAsFunction))
    }

    /// Looks an order up.
    func order(_ id: OrderID) throws -> OrderV1 {
        try reply(handle(OrderGetV1(bundleId: .game, orderId: id), OnOrderGet().callAsFunction))
    }

    /// Closes an order and returns it.
    func close(_ id: OrderID, _ reason: OrderCloseReason = .cancelled) throws -> OrderV1 {
        let request = OrderCloseV1(bundleId: .game, orderId: id, reason: reason)
        return try reply(handle(request, OnOrderClose().callAsFunction))
    }

    /// Proposes a claim; what Orders says of it is in `sent`.
    func propose(
        _ candidate: ClaimCandidate,
        _ facts: TransactionFacts = .facts(),
        by submitter: BuyerID? = .ada,
        attempt: Int = 1
    ) throws {
        let proposal = ClaimProposedV1(
            attempt: attempt,
            candidate: candidate,
            transaction: facts,
            submission: submitter.map { .submission(by: $0) }
        )
        #expect(try handle(proposal, OnClaimProposed().callAsFunction) == .applied)
    }

    /// Asks whether the transaction is paid here; what Orders says of it is in `sent`.
    func lookUp(_ facts: TransactionFacts = .facts(), by submitter: BuyerID, attempt: Int) throws {
        let sought = ClaimLookupV1(
            attempt: attempt,
            transaction: facts,
            submission: .submission(by: submitter)
        )
        #expect(try handle(sought, OnClaimLookup().callAsFunction) == .applied)
    }

    /// The ledger answers for an order.
    func settle(_ order: OrderID, _ outcome: GrantOutcome, _ transaction: String = "1000") throws -> Outcome {
        let settled = GrantSettledV1(
            bundleId: .game,
            buyerId: .ada,
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
