import Contracts
import Foundation
import Program
import TestKit
import Testing

@testable import Delivery
@testable import Notifications

/// One partition of Notifications in memory, with a server that answers as the test says.
final class NotificationsHarness: HarnessWrapper {
    static let endpoint = Configuration.Webhook(
        url: "http://localhost:1/hook",
        secret: "a-secret-of-16-bytes"
    )

    let harness: ServiceHarness<NotificationsService>
    /// The calls that the server took or refused, in order.
    private(set) var posted: [WebhookCall] = []
    private let subscribers: Subscribers

    init(subscribers: Subscribers = [.game]) {
        self.subscribers = subscribers
        harness = ServiceHarness(
            NotificationsService(Configuration(apps: [])),
            now: Timestamp(milliseconds: 1_760_000_001_000)
        )
    }

    /// One that has taken these messages already.
    convenience init(having messages: [Message]) throws {
        self.init()
        for message in messages { try take(message) }
    }

    /// The types of what the last message had sent.
    var sent: [EventType] { harness.sent.map(\.type) }

    /// The types of the messages that the last one had recorded for `trace`, by their stories.
    var recorded: [String] { harness.traceEntries.map { "\($0.subject): \($0.entry.type)" } }

    /// Hands one message to a handler in one transaction, which may send nothing but that a receipt is finished.
    @discardableResult
    func handle<Body: Contract, Answer>(
        _ data: Body,
        id: String? = nil,
        _ handler: (Event<Body>, HandlerContext) throws -> Answer
    ) throws -> Answer {
        let answer = try harness.handle(data, id: id.map(EventID.init(unchecked:)), handler)
        #expect(sent.allSatisfy { $0 == ReceiptFinishedV1.type })
        return answer
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
    func tell(_ transaction: String, of buyer: BuyerID = .ada) throws {
        try take(.changed(transaction, of: buyer, entries: 1, to: nil))
    }

    /// The same, of a purchase that somebody may have handed in; the message bears the trace of a request.
    func tell(
        _ transaction: String,
        to submission: Submission? = nil,
        id: EventID? = nil,
        traceparent: String?
    ) throws {
        let message = Message.changed(transaction, entries: 1, to: submission)
        guard case .change(let change) = message else { throw HarnessFault("no change") }
        var event = harness.event(change, id: id)
        event.traceparent = traceparent
        let handler = OnEntitlementChanged(subscribers: subscribers)
        #expect(try harness.transact { try handler(event, in: $0) } == .applied)
    }

    /// Asks for the verdict.
    func ask(
        wait: Int = 0,
        of bundle: BundleID = .game,
        by buyer: BuyerID? = nil,
        _ receipt: ReceiptID = .handedIn
    ) throws -> RequestOutcome<ReceiptVerdictV1> {
        try handle(
            VerdictWaitV1(bundleId: bundle, receiptId: receipt, wait: wait, buyerId: buyer),
            OnVerdictWait().callAsFunction
        )
    }

    /// What is known of a receipt now.
    func answer(_ receipt: ReceiptID = .handedIn) throws -> ReceiptVerdictV1 {
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

    func finish(_ item: WorkItem, result: [UInt8]) throws {
        let worker = WebhookWorker(endpoints: [:], poster: Server(status: nil))
        try harness.transact { try worker.finish(item, result: result, in: $0) }
        #expect(sent.isEmpty)
    }

    /// Does everything that is due now, while the server answers with `status`.
    ///
    /// - Returns: how many calls were made, and when the next one will be due.
    @discardableResult
    func work(
        status: Int?,
        endpoints: [BundleID: Configuration.Webhook] = [.game: endpoint]
    ) async throws -> (calls: Int, next: Timestamp?) {
        let worker = WebhookWorker(endpoints: endpoints, poster: Server(status: status))
        let earlier = posted.count
        while true {
            let due = try harness.due()
            guard !due.items.isEmpty else { return (posted.count - earlier, due.next) }
            for item in due.items {
                let job = try WebhookJob(payload: item.payload)
                posted.append(job.call(of: Self.endpoint))
                try finish(item, result: await worker.perform(item))
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
}

// The messages of the tests, with everything they do not care about filled in.
extension NotificationsHarness {
    /// Two pieces, in a chain of transactions that began with another one.
    static func facts(_ transaction: String = "1000") -> TransactionFacts {
        .facts(transaction, quantity: 2)
            .with(\.originalTransactionId, TransactionID(unchecked: "o" + transaction))
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
        var isJudgement: Bool { if case .judgement = self { true } else { false } }
        var isChange: Bool { if case .change = self { true } else { false } }

        static func accepted(
            _ transactions: [String],
            _ verdict: Verdict = .pending,
            _ reason: String? = nil,
            of submission: Submission = .submission(),
            applicationVersion: String? = nil,
            overall: (verdict: Verdict, reason: String)? = nil
        ) -> Message {
            .reading(
                ReceiptAcceptedV1(
                    bundleId: .game,
                    submission: submission,
                    transactions: transactions.map {
                        TransactionVerdict(facts($0), verdict: verdict, reason: reason)
                    },
                    applicationVersion: applicationVersion,
                    verdict: overall?.verdict,
                    reason: overall?.reason
                )
            )
        }

        /// A proof of which no more than these transactions could be read.
        static func partly(_ transactions: [String], _ verdict: Verdict, _ reason: String) -> Message {
            accepted(transactions, overall: (verdict, reason))
        }

        static func whole(_ verdict: Verdict, _ reason: String) -> Message { partly([], verdict, reason) }

        static func conflict(
            _ transaction: String,
            _ reason: String? = nil,
            of submission: Submission = .submission(),
            transfers: Int? = nil
        ) -> Message {
            .judgement(
                ClaimConflictedV1(
                    bundleId: .game,
                    submission: submission,
                    transaction: TransactionVerdict(facts(transaction), verdict: .conflict, reason: reason),
                    transfers: transfers
                )
            )
        }

        static func changed(
            _ transaction: String,
            _ verdict: Verdict = .granted,
            _ reason: String? = nil,
            of buyer: BuyerID = .ada,
            entries: Int = 0,
            grantedAt: Timestamp? = nil,
            transfers: Int? = nil,
            to submission: Submission? = .submission()
        ) -> Message {
            let lines = (0..<entries).map { index in
                var entry = LedgerEntry(
                    entryId: "\(index)-\(buyer)-\(transaction)",
                    kind: .grant,
                    entitlement: "coins",
                    amount: 100,
                    of: buyer,
                    with: .apple(.coins),
                    environment: .production,
                    time: Timestamp(milliseconds: 100)
                )
                entry.transactionId = TransactionID(unchecked: transaction)
                entry.orderId = order(transaction).orderId
                return entry
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
                    transfers: transfers,
                    submission: submission
                )
            )
        }
    }
}

extension ReceiptID {
    /// The receipt of the sample.
    static let handedIn = Submission.submission().receiptId
}

extension Submission {
    /// The sample that holds one transaction and nothing else.
    static let only = submission().with(\.isOnly, true)
}
