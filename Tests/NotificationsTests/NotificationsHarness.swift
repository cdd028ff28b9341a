import Contracts
import Database
import Domain
import Foundation
import Program
import TestKit
import Testing

@testable import Delivery
@testable import Notifications

/// One partition of Notifications in memory, with a server that answers as the test says.
final class NotificationsHarness: HarnessWrapper {
    static let bundle = BundleID(unchecked: "com.example.game")
    static let buyer = BuyerID(unchecked: "ada")
    static let endpoint = Configuration.Webhook(
        url: "http://localhost:1/hook",
        secret: "a-secret-of-16-bytes"
    )
    static let submission = submission(7)
    static let receipt = submission.receiptId

    let harness: ServiceHarness<NotificationsService>
    /// The calls that the server took or refused, in order.
    private(set) var posted: [WebhookCall] = []
    private let subscribers: Set<BundleID>
    private let service = NotificationsService(Configuration(apps: []))

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

    func take(_ messages: Message...) throws {
        for message in messages {
            switch message {
            case .reading(let body): try handle(body, OnReceiptAccepted().callAsFunction)
            case .judgement(let body): try handle(body, OnClaimConflicted().callAsFunction)
            case .change(let body):
                try handle(body, OnEntitlementChanged(subscribers: subscribers).callAsFunction)
            }
        }
    }

    /// The ledger has changed: the app's own server must be told.
    func tell(_ transaction: String, of buyer: BuyerID = buyer) throws {
        try take(.changed(transaction, of: buyer, entries: 1, to: nil))
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

    /// What is known of a receipt now.
    func answer(_ receipt: ReceiptID = receipt) throws -> ReceiptVerdictV1 {
        try #require(try ask(receipt).reply)
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

    /// What is due now, and when something will be next.
    func due(
        limit: Int = 32,
        excluding inHand: [WorkItem] = []
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        let worker = WebhookWorker(endpoints: [:], poster: Server(status: nil))
        let (address, keys) = (PartitionAddress(.notifications, 0), Set(inHand.map(\.key)))
        return try harness.database.write {
            try worker.due($0, of: address, now: harness.now, limit: limit, excluding: keys)
        }
    }

    func finish(_ item: WorkItem, result: [UInt8]) throws {
        let worker = WebhookWorker(endpoints: [:], poster: Server(status: nil))
        try transact { try worker.finish(item, result: result, in: &$0) }
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
            let (items, next) = try due()
            guard !items.isEmpty else { return (calls, next) }
            for item in items {
                let job = try WebhookJob(payload: item.payload)
                posted.append(
                    WebhookCall(Self.endpoint, timestamp: job.time.milliseconds / 1_000, body: job.body)
                )
                try finish(item, result: await worker.perform(item))
                calls += 1
            }
        }
    }

    /// The transaction ids of the calls so far, in order.
    func postedTransactions() throws -> [String] {
        try posted.map { try Self.event($0).data.transaction.transactionId.rawValue }
    }

    /// What a test reads of a webhook.
    static func event(_ call: WebhookCall) throws -> (id: String, type: String, data: EntitlementChangedV1) {
        struct Body: Decodable {
            let id: String
            let type: String
            let data: EntitlementChangedV1
        }
        let body = try JSONDecoder().decode(Body.self, from: Data(call.body.utf8))
        return (body.id, body.type, body.data)
    }

    func rows(_ sql: String) throws -> [Row] { try harness.rows(sql) }

    /// A figure of the webhooks.
    func gauge(_ name: String) throws -> Double? {
        try harness.database.write { try service.gauges(in: $0, now: harness.now) }[
            "counterfoil_webhooks_\(name)"
        ]
    }

    func trace(_ identifier: String) throws -> Trace {
        try harness.database.write { try service.trace([identifier], in: $0) }
    }
}

// The messages of the tests, with everything they do not care about filled in.
extension NotificationsHarness {
    /// A submission whose proof has a digest of this byte.
    static func submission(_ digest: UInt8, by submitter: BuyerID = buyer) -> Submission {
        let shard = PartitionKey.buyer(submitter, of: bundle).shard
        let receipt = ReceiptID(shard: shard, digest: Array(repeating: digest, count: 16))
        return Submission(receiptId: receipt, submitter: submitter)
    }

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

    /// The order that a transaction pays.
    static func order(_ transaction: String) -> OrderTerms {
        let time = Timestamp(milliseconds: 1_760_000_000_000)
        return OrderTerms(
            orderId: OrderID(time: time, shard: Shard(rawValue: 5), random: UInt64(transaction) ?? 0)
        )
    }

    /// One of the messages that bring verdicts, as a value that a test may put in any order.
    enum Message: Hashable {
        /// What a proof holds.
        case reading(ReceiptAcceptedV1)
        case judgement(ClaimConflictedV1)
        case change(EntitlementChangedV1)

        var isReading: Bool { if case .reading = self { true } else { false } }

        static func accepted(
            _ transactions: [String],
            _ verdict: Verdict = .pending,
            _ reason: String? = nil,
            of submission: Submission = submission
        ) -> Message {
            let verdicts = transactions.map {
                TransactionVerdict(facts($0), verdict: verdict, reason: reason)
            }
            return .reading(
                ReceiptAcceptedV1(bundleId: bundle, submission: submission, transactions: verdicts)
            )
        }

        /// A proof of which no more than these transactions could be read.
        static func partly(_ transactions: [String], _ verdict: Verdict, _ reason: String) -> Message {
            .reading(
                ReceiptAcceptedV1(
                    bundleId: bundle,
                    submission: submission,
                    transactions: transactions.map { TransactionVerdict(facts($0), verdict: .pending) },
                    verdict: verdict,
                    reason: reason
                )
            )
        }

        static func whole(_ verdict: Verdict, _ reason: String) -> Message { partly([], verdict, reason) }

        static func conflict(_ transaction: String, of submission: Submission = submission) -> Message {
            let verdict = TransactionVerdict(facts(transaction), verdict: .conflict)
            return .judgement(
                ClaimConflictedV1(bundleId: bundle, submission: submission, transaction: verdict)
            )
        }

        static func changed(
            _ transaction: String,
            _ verdict: Verdict = .granted,
            _ reason: String? = nil,
            of buyer: BuyerID = buyer,
            entries: Int = 0,
            grantedAt: Timestamp? = nil,
            to submission: Submission? = submission
        ) -> Message {
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
            return .change(
                EntitlementChangedV1(
                    buyerId: buyer,
                    order: order(transaction),
                    transaction: facts(transaction),
                    entries: lines,
                    verdict: verdict,
                    grantedAt: grantedAt,
                    reason: reason,
                    submission: submission
                )
            )
        }
    }
}
