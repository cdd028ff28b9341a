import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// The partitions of Receipts, each with a store in memory.
final class ReceiptsGroup: HarnessWrapper {
    static let partitions = 4

    /// What every proof of the tests holds, by its text.
    struct Proofs: ProofReader {
        var contents: [String: Result<[SignedTransaction], ProofFailure>]
        /// When every proof was signed, in ms before it is read; nil if none says it.
        var age: Int64? = 0
        /// The app's version that every proof states; nil if none does.
        var applicationVersion: String?

        func contents(of proof: Proof, now: Timestamp) throws(ProofFailure) -> ProofContents {
            ProofContents(
                transactions: try (contents[proof.text] ?? .failure(.malformed)).get(),
                signedAt: age.map { now.advanced(by: -$0) },
                applicationVersion: applicationVersion
            )
        }
    }

    /// What every notification of the tests says, by its text.
    struct Notifications: ServerNotificationReader {
        var contents: [String: Result<ServerNotification, ServerNotificationFailure>]

        func notification(
            in signedPayload: String,
            now: Timestamp
        ) throws(ServerNotificationFailure) -> ServerNotification {
            try (contents[signedPayload] ?? .failure(.notGenuine(.malformed))).get()
        }
    }

    var proofs = Proofs(contents: [:])
    /// Who reads proofs instead, where a test needs real ones.
    var reader: (any ProofReader)?
    var notificationReader = Notifications(contents: [:])
    var policies = [Sample.app: Sample.policy]
    /// Most transactions of a submission in one database transaction.
    var transactionsPerPart = SubmissionPart.maximumTransactions
    let harness: ServiceHarness<ReceiptsService>
    /// Whether the partitions of names, and of replaced chains, answer at once.
    var answersNames = true
    private var requests = 0

    init() {
        harness = ServiceHarness(stores: Self.partitions, partitions: Self.partitions, now: Sample.start)
    }

    /// Partitions that ask Apple, and Apple.
    static func asking(
        _ apis: Set<AppleAPI> = [.serverAPI],
        environments: Set<Environment> = [.production, .sandbox]
    ) throws -> (ReceiptsGroup, AskedApple) {
        let (group, apple) = (ReceiptsGroup(), try AskedApple())
        group.apple = try apple.settings(apis)
        group.policies[Sample.app] = Sample.policy(environments: environments, apis: apis)
        return (group, apple)
    }

    /// How Apple is asked; nil where nobody is.
    var apple: AppleSettings?

    var service: ReceiptsService {
        ReceiptsService(
            reader: reader ?? proofs,
            notificationReader: notificationReader,
            policies: policies,
            freshRestore: 3_600_000,
            transactionsPerPart: transactionsPerPart,
            apple: apple
        )
    }

    // MARK: Running

    /// Runs `body` in one transaction of a partition.
    func run<Value>(
        _ partition: Int,
        cause: EventID? = nil,
        _ body: (HandlerContext) throws -> Value
    ) throws -> (outcome: Value, sent: [OutgoingEvent]) {
        (try harness.transact(partition, cause: cause, body), harness.sent)
    }

    /// Hands a message to its handler in a partition; one with an id is the cause of what is sent.
    func handle<Body: Contract, Answer>(
        _ body: Body,
        in partition: Int,
        id: EventID? = nil,
        _ handler: (Event<Body>, HandlerContext) throws -> Answer
    ) throws -> (outcome: Answer, sent: [OutgoingEvent]) {
        let message = event(body, id: id)
        return try run(partition, cause: id) { try handler(message, $0) }
    }

    /// Hands a proof in, in the partition of the transaction that it is stated to be, or else the submitter's.
    func submit(
        _ proof: String,
        by buyer: BuyerID = Sample.alice,
        hint: String? = nil,
        kind: ProofKind = .signedTransaction,
        stated: TransactionID? = nil,
        intent: Submission.Intent? = nil,
        purchasedBy: BuyerID? = nil,
        request: EventID? = nil
    ) throws -> (outcome: RequestOutcome<ReceiptSubmittedV1>, sent: [OutgoingEvent]) {
        requests += 1
        let body = ReceiptSubmitV1(
            bundleId: Sample.app,
            buyerId: buyer,
            orderId: hint,
            kind: kind,
            proof: proof,
            originalTransactionId: stated,
            intent: intent,
            purchasedBy: purchasedBy
        )
        let id = request ?? EventID(unchecked: "request-\(requests)")
        let handler = OnReceiptSubmit(workflow: service.submissions)
        let owner = try #require(body.route.owner(of: Self.partitions))
        return try handle(body, in: owner.partition, id: id, handler.callAsFunction)
    }

    /// Asks a partition to judge again what waits, one page.
    func retryPage(
        _ scope: RetryScope = RetryScope(),
        after: [String]? = nil,
        partition: Int
    ) throws -> (outcome: RequestOutcome<RetryPage>, sent: [OutgoingEvent]) {
        let service = service
        let handler = OnReceiptRetry(
            submissions: service.submissions,
            notifications: service.serverNotifications
        )
        return try handle(ReceiptRetryV1(scope: scope, after: after), in: partition, handler.callAsFunction)
    }

    /// Asks a partition to judge again what waits, page by page to the last.
    func retry(
        _ scope: RetryScope = RetryScope(),
        partition: Int
    ) throws -> (items: [RetryPage.Item], sent: [OutgoingEvent]) {
        var (items, sent): ([RetryPage.Item], [OutgoingEvent]) = ([], [])
        var after: [String]?
        repeat {
            let answer = try retryPage(scope, after: after, partition: partition)
            let page = try #require(answer.outcome.reply)
            items += page.items
            sent += answer.sent
            after = page.next
        } while after != nil
        return (items, sent)
    }

    /// Lets Notifications say that every verdict on a receipt is final.
    func finish(_ body: ReceiptFinishedV1, partition: Int) throws -> [OutgoingEvent] {
        let handler = OnReceiptFinished(workflow: service.submissions)
        let (outcome, sent) = try handle(body, in: partition, handler.callAsFunction)
        #expect(outcome == .applied)
        return sent
    }

    /// Lets Apple deliver a notification, in the partition 0.
    func deliver(
        _ identifier: String,
        _ signedPayload: String
    ) throws -> (outcome: RequestOutcome<ServerNotificationDeliveredV1>, sent: [OutgoingEvent]) {
        let body = ServerNotificationDeliverV1(identifier: identifier, signedPayload: signedPayload)
        let handler = OnServerNotificationDeliver(workflow: service.serverNotifications)
        return try handle(body, in: 0, handler.callAsFunction)
    }

    /// Lets a proof or a statement of Apple's arrive at the transaction's partition.
    func verify(
        _ signed: SignedTransaction,
        _ submission: Submission? = nil,
        renewal: RenewalFacts? = nil,
        status: Int? = nil,
        consumptionAskedAt: Timestamp? = nil,
        inquiry: HistoryInquiry? = nil
    ) throws -> (outcome: Outcome, sent: [OutgoingEvent]) {
        let body = TransactionVerifiedV1(
            transaction: signed,
            submission: submission,
            renewal: renewal,
            status: status,
            consumptionAskedAt: consumptionAskedAt,
            inquiry: inquiry
        )
        let handler = OnTransactionVerified(policies: policies)
        let (outcome, sent) = try handle(body, in: Self.partition(of: signed), handler.callAsFunction)
        return (outcome, try answerNames(sent))
    }

    /// Lets Orders answer that the transaction is held.
    func hold(
        _ signed: SignedTransaction,
        by holder: Claim.Holder = Sample.holder,
        attempt: Int = 1,
        evidence: HolderEvidence = .caller
    ) throws -> (outcome: Outcome, sent: [OutgoingEvent]) {
        let facts = try #require(TransactionFacts(signed))
        let answer = ClaimHeldV1(
            facts,
            attempt: attempt,
            buyerId: holder.buyer,
            orderId: holder.order,
            evidence: evidence,
            transferred: holder.transferred
        )
        return try handle(answer, in: Self.partition(of: signed), OnClaimHeld().callAsFunction)
    }

    /// Brings a transaction to its claim, of which Orders then says that it is held; returns what follows from that.
    @discardableResult
    func verifyAndHold(
        _ signed: SignedTransaction,
        _ submission: Submission? = Sample.byAlice,
        by holder: Claim.Holder = Sample.holder,
        evidence: HolderEvidence = .caller
    ) throws -> [OutgoingEvent] {
        _ = try verify(signed, submission)
        return try hold(signed, by: holder, evidence: evidence).sent
    }

    /// Lets Apple's last word of a transaction come to its claim.
    func completeEvidence(of signed: SignedTransaction) throws -> [OutgoingEvent] {
        let completed = EvidenceCompletedV1(try #require(TransactionFacts(signed)))
        return try handle(completed, in: Self.partition(of: signed), OnEvidenceCompleted().callAsFunction)
            .sent
    }

    /// Lets Orders tell again, after a store was restored, whose the transaction is.
    func recall(
        _ signed: SignedTransaction,
        by holder: Claim.Holder = Sample.holder,
        evidence: HolderEvidence = .caller
    ) throws -> (outcome: Outcome, sent: [OutgoingEvent]) {
        let facts = try #require(TransactionFacts(signed))
        let word = ClaimRedrivenV1(
            attempt: 1,
            transaction: facts,
            buyerId: holder.buyer,
            orderId: holder.order,
            evidence: evidence,
            transferred: holder.transferred
        )
        let partition = Self.partition(of: signed)
        let (outcome, sent) = try handle(word, in: partition, OnClaimRedriven().callAsFunction)
        return (outcome, try answerNames(sent))
    }

    /// Lets Orders answer that the transaction is not the candidate's.
    func refuse(
        _ signed: SignedTransaction,
        _ reason: ClaimRefusal = .unknownOrder,
        buyer: BuyerID? = nil,
        attempt: Int = 1
    ) throws -> (outcome: Outcome, sent: [OutgoingEvent]) {
        let facts = try #require(TransactionFacts(signed))
        let answer = ClaimRefusedV1(facts, attempt: attempt, reason: reason, buyerId: buyer)
        return try handle(answer, in: Self.partition(of: signed), OnClaimRefused().callAsFunction)
    }

    /// Delivers what was sent to Receipts itself; returns what that sent in turn.
    func deliver(_ events: [OutgoingEvent]) throws -> [OutgoingEvent] {
        try events.filter { $0.to.service == .receipts }.flatMap { try answerNames(deliver($0)) }
    }

    /// Delivers one event between partitions of Receipts.
    func deliver(_ event: OutgoingEvent) throws -> [OutgoingEvent] {
        let (outcome, sent) = try run(event.to.partition, cause: event.id) { context -> Outcome in
            switch event.type {
            case NameClaimedV1.type: return try OnNameClaimed()(event.decoded(), in: context)
            case NameHeldV1.type: return try OnNameHeld(policies: policies)(event.decoded(), in: context)
            case PreviousChainAskedV1.type:
                return try OnPreviousChainAsked()(event.decoded(), in: context)
            case PreviousChainAnsweredV1.type:
                return try OnPreviousChainAnswered(policies: policies)(event.decoded(), in: context)
            case EvidenceCompletedV1.type: return try OnEvidenceCompleted()(event.decoded(), in: context)
            default: return try OnTransactionVerified(policies: policies)(event.decoded(), in: context)
            }
        }
        #expect(outcome == .applied)
        return sent
    }

    /// Lets the partitions of names, and of replaced chains, answer, if they do so at once; returns what else is sent.
    func answerNames(_ events: [OutgoingEvent]) throws -> [OutgoingEvent] {
        guard answersNames else { return events }
        var (others, queue) = ([OutgoingEvent](), events[...])
        while let event = queue.popFirst() {
            if Self.answered.contains(event.type) {
                queue += try deliver(event)
            } else {
                others.append(event)
            }
        }
        return others
    }

    private static let answered: Set<EventType> = [
        NameClaimedV1.type, NameHeldV1.type, PreviousChainAskedV1.type, PreviousChainAnsweredV1.type,
    ]

    // MARK: Looking

    func record(_ signed: SignedTransaction) throws -> ClaimRecord {
        let facts = try #require(TransactionFacts(signed))
        let record = try run(Self.partition(of: signed)) {
            try ClaimStore(connection: $0.connection).record(PurchaseKey(facts))
        }
        return try #require(record.outcome)
    }

    /// The rows of a statement, without the names of their columns.
    func rows(_ sql: String, partition: Int) throws -> [[Value]] {
        try harness.rows(sql, partition: partition).map(\.values)
    }

    /// The same in the partition of a transaction's chain.
    func rows(_ sql: String, of signed: SignedTransaction) throws -> [[Value]] {
        try rows(sql, partition: Self.partition(of: signed))
    }

    /// The same in the partition of a buyer.
    func rows(_ sql: String, of buyer: BuyerID) throws -> [[Value]] {
        try rows(sql, partition: Self.partition(of: buyer))
    }

    /// Changes rows of a partition.
    func execute(_ sql: SQL, in partition: Int) throws {
        _ = try run(partition) { try $0.connection.execute(sql) }
    }

    /// The steps in which the store carries out a query.
    func plan(of query: SQL) throws -> [String] {
        try run(0) { try $0.connection.plan(of: query) }.outcome
    }

    static func partition(of buyer: BuyerID) -> Int {
        PartitionKey.buyer(buyer, of: Sample.app).shard.partition(of: partitions)
    }

    static func partition(of signed: SignedTransaction) -> Int {
        let bundleID = BundleID(unchecked: signed.bundleId)
        let original = TransactionID(unchecked: signed.originalTransactionId)
        return PartitionKey.chain(original, of: bundleID).shard.partition(of: partitions)
    }

    func submission(_ id: ReceiptID, partition: Int) throws -> SubmissionRecord {
        let found = try run(partition) { try SubmissionStore(connection: $0.connection).record(id) }
        return try #require(found.outcome)
    }

    func gauges(_ partition: Int) throws -> [String: Double] {
        try run(partition) { try service.gauges(in: $0.connection, now: $0.now) }.outcome
    }

    func trace(_ identifier: String, partition: Int) throws -> Trace {
        try run(partition) { try service.trace([identifier], in: $0.connection) }.outcome
    }

    /// Everything that a partition sends again to one whose store was restored, and in how many pages.
    func redrive(
        from partition: Int,
        to service: ServiceName,
        _ target: Int
    ) throws -> (sent: [OutgoingEvent], pages: Int) {
        let address = PartitionAddress(service, target)
        var (sent, pages, key): ([OutgoingEvent], Int, [String]) = ([], 0, [])
        repeat {
            let page = try run(partition) { try self.service.redrive(to: address, after: key, in: $0) }
            (sent, pages, key) = (sent + page.sent, pages + 1, page.outcome.next)
        } while !key.isEmpty
        return (sent, pages)
    }

    func event<Body: Contract>(_ body: Body, id: EventID? = nil) -> Event<Body> {
        harness.event(body, id: id, cause: nil)
    }
}
