import Contracts
import Database
import Domain
import Foundation
import NotificationsCore
import Program
import TestKit
import Testing

@testable import Delivery
@testable import Notifications

/// One partition of Notifications in memory, with a server that answers as the test says.
final class NotificationsHarness: HarnessWrapper {
    static let bundle = BundleID(unchecked: "com.example.game")
    static let buyer = BuyerID(unchecked: "ada")
    static let address = PartitionAddress(.notifications, 0)
    static let endpoint = Configuration.Webhook(
        url: "http://localhost:1/hook",
        secret: "a-secret-of-16-bytes"
    )
    static let receipt = ReceiptID(
        shard: PartitionKey.buyer(buyer, of: bundle).shard,
        digest: Array(repeating: 7, count: 16)
    )
    static let submission = Submission(receiptId: receipt, submitter: buyer)

    let harness: ServiceHarness<NotificationsService>
    /// The bodies that the server took or refused, in order.
    private(set) var posted: [WebhookCall] = []
    private let subscribers: Set<BundleID>

    init(subscribers: Set<BundleID> = [bundle]) throws {
        self.subscribers = subscribers
        harness = try ServiceHarness(now: Timestamp(milliseconds: 1_760_000_001_000))
    }

    /// The types of what the last message had sent.
    var sent: [EventType] { harness.sent.map(\.type) }

    /// The types of the messages that the last one had recorded for `trace`, by their stories.
    var recorded: [String] { harness.traceEntries.map { "\($0.subject): \($0.entry.type)" } }

    /// Hands one message to a handler in one transaction.
    @discardableResult
    func handle<Body: Contract, Answer>(
        _ data: Body,
        _ handler: (Event<Body>, inout HandlerContext) throws -> Answer
    ) throws -> Answer {
        let event = harness.event(data)
        return try transact { try handler(event, &$0) }
    }

    /// Runs `body` in one transaction, which may send nothing but what settles a receipt.
    func transact<Value>(_ body: (inout HandlerContext) throws -> Value) throws -> Value {
        let value = try harness.transact { try body(&$0) }
        #expect(sent.allSatisfy { $0 == ReceiptSettledV1.type })
        return value
    }

    /// A server that answers every call with one status, or not at all.
    private struct Server: WebhookPoster {
        struct Down: Error {}
        let status: Int?

        @concurrent func post(_ call: WebhookCall) async throws -> Int {
            guard let status else { throw Down() }
            return status
        }
    }

    /// Does everything that is due now, while the server answers with `status`.
    ///
    /// - Returns: how many calls were made, and when the next one will be due.
    @discardableResult
    func work(
        status: Int?,
        endpoints: [BundleID: Configuration.Webhook] = [bundle: endpoint]
    ) async throws -> (calls: Int, next: Timestamp?) {
        let worker = WebhookWorker(endpoints: endpoints, poster: Server(status: status))
        var calls = 0
        while true {
            let (items, next) = try harness.database.write {
                try worker.due(
                    $0,
                    of: Self.address,
                    now: harness.now,
                    limit: worker.concurrency,
                    excluding: []
                )
            }
            guard !items.isEmpty else { return (calls, next) }
            for item in items {
                let job = try WebhookJob(payload: item.payload)
                posted.append(
                    WebhookCall(Self.endpoint, timestamp: job.time.milliseconds / 1_000, body: job.body)
                )
                let result = await worker.perform(item)
                try transact { try worker.finish(item, result: result, in: &$0) }
                calls += 1
            }
        }
    }

    /// The transaction ids of the calls so far, in order.
    func postedTransactions() throws -> [String] { try posted.map { try Self.event($0.body).transactionId } }

    /// What a test reads of a webhook's body.
    static func event(_ body: String) throws -> (id: String, type: String, transactionId: String) {
        guard case .object(let event) = try JSONDecoder().decode(JSONValue.self, from: Data(body.utf8)),
            case .string(let id)? = event["id"], case .string(let type)? = event["type"],
            case .object(let data)? = event["data"], case .object(let transaction)? = data["transaction"],
            case .string(let transactionId)? = transaction["transactionId"]
        else {
            Issue.record("not an event: \(body)")
            throw CancellationError()
        }
        return (id, type, transactionId)
    }

    func rows(_ sql: String) throws -> [Row] { try harness.rows(sql) }

    func gauges() throws -> [String: Double] {
        let service = NotificationsService(NotificationsConfiguration(Configuration(apps: [])))
        return try harness.database.write { try service.gauges(in: $0, now: harness.now) }
    }
}

// The messages of the tests, with everything they do not care about filled in.
extension NotificationsHarness {
    static func facts(_ transaction: String = "1000") -> TransactionFacts {
        TransactionFacts(
            environment: .production,
            bundleId: bundle,
            transactionId: TransactionID(unchecked: transaction),
            originalTransactionId: TransactionID(unchecked: "o" + transaction),
            productId: ProductID(unchecked: "coins.100"),
            quantity: 2,
            type: "Consumable",
            purchaseDate: Timestamp(milliseconds: 50),
            signedDate: Timestamp(milliseconds: 100)
        )
    }

    /// The order that a transaction pays: one of its own, unless a test names the purchase that it is of.
    static func order(_ purchase: String = "1000") -> OrderTerms {
        OrderTerms(
            orderId: OrderID(
                time: Timestamp(milliseconds: 1_760_000_000_000),
                shard: Shard(rawValue: 5),
                random: UInt64(purchase) ?? 0
            )
        )
    }

    /// One of the messages that bring verdicts, as a value that a test may put in any order.
    enum Message: Hashable {
        case accepted([String], Verdict = .pending, String? = nil)
        case whole(Verdict, String)
        case partly([String], Verdict, String)
        case judged(String, Verdict, String? = nil)
        case changed(String, Verdict, String? = nil)

        /// Whether it says what a proof holds.
        var isReading: Bool {
            switch self {
            case .accepted, .whole, .partly: true
            case .judged, .changed: false
            }
        }
    }

    func take(_ message: Message) throws {
        switch message {
        case .accepted(let ids, let verdict, let reason):
            let transactions = ids.map {
                TransactionVerdict(Self.facts($0), verdict: verdict, reason: reason)
            }
            let body = ReceiptAcceptedV1(
                bundleId: Self.bundle,
                submission: Self.submission,
                transactions: transactions
            )
            try handle(body, OnReceiptAccepted().callAsFunction)
        case .whole(let verdict, let reason): try take(.partly([], verdict, reason))
        case .partly(let ids, let verdict, let reason):
            let body = ReceiptAcceptedV1(
                bundleId: Self.bundle,
                submission: Self.submission,
                transactions: ids.map { TransactionVerdict(Self.facts($0), verdict: .pending) },
                verdict: verdict,
                reason: reason
            )
            try handle(body, OnReceiptAccepted().callAsFunction)
        case .judged(let id, let verdict, let reason):
            let judged = TransactionVerdict(Self.facts(id), verdict: verdict, reason: reason)
            let body = ClaimConflictedV1(
                bundleId: Self.bundle,
                submission: Self.submission,
                transaction: judged
            )
            try handle(body, OnClaimConflicted().callAsFunction)
        case .changed(let id, let verdict, let reason):
            try handle(
                Self.change(id, entries: 0, verdict: verdict, reason: reason, submission: Self.submission),
                OnEntitlementChanged(subscribers: subscribers).callAsFunction
            )
        }
    }

    static func change(
        _ transaction: String,
        of buyer: BuyerID = buyer,
        entries: Int = 1,
        verdict: Verdict = .granted,
        grantedAt: Timestamp? = nil,
        reason: String? = nil,
        submission: Submission? = nil
    ) -> EntitlementChangedV1 {
        let lines = (0..<entries).map { index in
            LedgerEntry(
                entryId: "\(index)-\(buyer)-\(transaction)",
                kind: .grant,
                entitlement: "coins",
                amount: 100,
                transactionId: TransactionID(unchecked: transaction),
                productId: ProductID(unchecked: "coins.100"),
                order: order(transaction),
                environment: .production,
                time: Timestamp(milliseconds: 100)
            )
        }
        return EntitlementChangedV1(
            buyerId: buyer,
            order: order(transaction),
            transaction: facts(transaction),
            entries: lines,
            verdict: verdict,
            grantedAt: grantedAt,
            reason: reason,
            submission: submission
        )
    }

    /// The ledger has changed: the app's own server must be told.
    func tell(_ transaction: String, of buyer: BuyerID = buyer) throws {
        try handle(
            Self.change(transaction, of: buyer),
            OnEntitlementChanged(subscribers: subscribers).callAsFunction
        )
    }

    /// Asks for the verdict.
    func ask(
        wait: Int = 0,
        of bundle: BundleID = bundle,
        _ receipt: ReceiptID = receipt
    ) throws -> RequestOutcome<ReceiptVerdictV1> {
        try handle(
            VerdictWaitV1(bundleId: bundle, receiptId: receipt, wait: wait),
            OnVerdictWait().callAsFunction
        )
    }

    /// What is known of the receipt now.
    func answer() throws -> ReceiptVerdictV1 {
        guard case .reply(let reply) = try ask(wait: 0) else {
            Issue.record("no reply")
            throw CancellationError()
        }
        return reply
    }
}
