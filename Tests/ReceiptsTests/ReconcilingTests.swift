import AppStoreSigning
import Contracts
import Domain
import ReceiptsCore
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// A reconciliation in the partitions of Receipts, with Apple as a script.
@Suite struct `reconciling` {
    typealias Found = (id: String, before: String, after: String)

    let group: ReceiptsGroup
    let apple: AskedApple
    /// The partition that asks Apple.
    private let asker = 2
    private let id = EventID(unchecked: "r-1")

    init() throws {
        group = try ReceiptsGroup()
        apple = try AskedApple()
        group.apple = try apple.settings([.serverAPI])
        group.policies[Sample.app] = AppPolicy(
            environments: [.production],
            sandbox: .separate,
            apis: [.serverAPI]
        )
    }

    private func event<Body: Contract>(_ body: Body) -> Event<Body> {
        Event(id: EventID(unchecked: "e-1"), source: "/test", time: group.now, subject: "s", data: body)
    }

    private func start(
        _ subject: ReconciliationStartV1.Subject,
        isDryRun: Bool = false
    ) throws -> ReconciliationV1.Progress {
        let body = ReconciliationStartV1(
            reconciliationId: id,
            isDryRun: isDryRun,
            steps: [.init(bundleId: Sample.app, environment: .production, subject)]
        )
        let handler = OnReconciliationStart(policies: group.policies)
        let reply = try group.run(asker) { try handler(event(body), in: &$0) }.outcome.reply
        return try #require(reply?.progress)
    }

    private var history: ReconciliationStartV1.Subject {
        .history(transactionIds: [TransactionID(unchecked: "1")], since: nil)
    }

    private func get(_ part: ReconciliationGetV1.Part, _ partition: Int) throws -> ReconciliationV1 {
        let body = ReconciliationGetV1(reconciliationId: id, part: part)
        let reply = try group.run(partition) { try OnReconciliationGet()(event(body), in: &$0) }.outcome.reply
        return try #require(reply)
    }

    /// The items of the reconciliation that are due.
    private func due() throws -> [WorkItem] {
        let worker = try #require(group.service.worker)
        return try group.run(asker) { context in
            try worker.due(
                context.connection,
                of: context.address,
                now: context.now,
                limit: 64,
                excluding: []
            ).items.filter { $0.key.contains("reconciliation/") }
        }.outcome
    }

    /// Writes what came of an item, as often as a process that dies may.
    private func finish(_ item: WorkItem, _ result: [UInt8]) throws -> [OutgoingEvent] {
        let worker = try #require(group.service.worker)
        return try group.run(asker) { try worker.finish(item, result: result, in: &$0) }.sent
    }

    /// Delivers what was found, and what that sends in turn; the notifications that it submits are returned.
    @discardableResult
    private func meet(_ events: [OutgoingEvent]) throws -> [NotificationRecoveredV1] {
        var notifications: [NotificationRecoveredV1] = []
        for outgoing in events where outgoing.type == TransactionFoundV1.type {
            let message = try outgoing.decoded(TransactionFoundV1.self)
            #expect(outgoing.to.partition == ReceiptsGroup.partition(of: message.data.transaction))
            let (outcome, sent) = try group.run(outgoing.to.partition) {
                try OnTransactionFound()(message, in: &$0)
            }
            #expect(outcome == .applied)
            notifications += try sent.bodies(NotificationRecoveredV1.self)
            _ = try group.deliver(sent.filter { $0.type == TransactionVerifiedV1.type })
        }
        return notifications
    }

    /// What all partitions report, by transaction.
    private func report(_ part: ReconciliationGetV1.Part = .all) throws -> [Found] {
        try (0..<ReceiptsGroup.partitions).flatMap { try get(part, $0).transactions }
            .sorted { $0.transactionId < $1.transactionId }
            .map {
                (
                    $0.transactionId.rawValue, Self.text($0.before),
                    $0.after.map(Self.text) ?? $0.wouldBe ?? "-"
                )
            }
    }

    private static func text(_ status: ReconciliationV1.ClaimStatus) -> String {
        status.state + (status.revoked ? ", refunded" : "")
    }

    // MARK: The journey

    @Test func `finds what was missed, submits it, and tells what changed`() async throws {
        let known = Sample.transaction("1")
        _ = try group.verify(known, Sample.byAlice)
        _ = try group.hold(known, by: Sample.holder)
        apple.knows(known, Sample.transaction("2", token: Sample.order.rawValue))
        #expect(try !start(history).isFinished)
        let item = try #require(try due().first)
        let result = await group.service.worker?.perform(item) ?? []
        try meet(try finish(item, result))
        let progress = try #require(try get(.progress, asker).progress)
        #expect(progress.isFinished && progress.sent == 2 && progress.problems.isEmpty)
        #expect(try report().map(\.before) == ["held", "unknown"])
        #expect(try report().map(\.after) == ["held", "proposed"])
        #expect(try report(.changes).map(\.id) == ["2"])
        let replies = try (0..<ReceiptsGroup.partitions).map { try get(.changes, $0) }
        #expect(replies.map(\.count).reduce(0, +) == 2)
        #expect(replies.map(\.unknown).reduce(0, +) == 1)
        #expect(replies.map(\.received).reduce(0, +) == progress.sent)
        #expect(try due().isEmpty)
    }

    @Test func `is started once, and a page is taken once, however often a process dies`() async throws {
        apple.knows(Sample.transaction("1"))
        _ = try start(history)
        _ = try start(history)
        let item = try #require(try due().first)
        // The answer of a process that dies now is lost, and the page is asked for again.
        let result = await group.service.worker?.perform(item) ?? []
        #expect(try due().map(\.key) == [item.key])
        let sent = try finish(item, result)
        #expect(sent.map(\.type) == [TransactionFoundV1.type])
        #expect(try finish(item, result).isEmpty)
        #expect(try get(.progress, asker).progress?.sent == 1)
        #expect(try start(history).isFinished)
        #expect(try due().isEmpty)
    }

    @Test func `changes nothing when it is done again`() async throws {
        apple.knows(Sample.transaction("1"))
        for name in ["r-1", "r-2"] {
            let body = ReconciliationStartV1(
                reconciliationId: EventID(unchecked: name),
                isDryRun: false,
                steps: [.init(bundleId: Sample.app, environment: .production, history)]
            )
            let handler = OnReconciliationStart(policies: group.policies)
            _ = try group.run(asker) { try handler(event(body), in: &$0) }
            let item = try #require(try due().first)
            try meet(try finish(item, await group.service.worker?.perform(item) ?? []))
        }
        let partition = ReceiptsGroup.partition(of: Sample.transaction("1"))
        #expect(try group.rows("SELECT 1 FROM claim", partition: partition).count == 1)
        let body = ReconciliationGetV1(reconciliationId: EventID(unchecked: "r-2"), part: .all)
        let reply = try group.run(partition) { try OnReconciliationGet()(event(body), in: &$0) }.outcome.reply
        #expect(reply?.transactions.map(\.changed) == [false])
    }

    @Test func `submits nothing in a dry run`() async throws {
        apple.knows(Sample.transaction("1"))
        _ = try start(history, isDryRun: true)
        let item = try #require(try due().first)
        try meet(try finish(item, await group.service.worker?.perform(item) ?? []))
        #expect(try report().map(\.after) == ["handed in"])
        let partition = ReceiptsGroup.partition(of: Sample.transaction("1"))
        #expect(try group.rows("SELECT 1 FROM claim", partition: partition).isEmpty)
    }

    @Test func `sees a restored purchase as known, and submits what is newer of it`() async throws {
        typealias Castle = `a purchase of several transactions`
        _ = try group.verify(Castle.first, Sample.byAlice)
        _ = try group.hold(Castle.first, by: Sample.holder)
        let refund = Castle.castle("2", signed: 30, refunded: true)
        apple.knows(refund)
        _ = try start(history)
        let item = try #require(try due().first)
        try meet(try finish(item, await group.service.worker?.perform(item) ?? []))
        #expect(try report().map(\.before) == ["held"])
        #expect(try report().map(\.after) == ["held, refunded"])
    }

    @Test func `submits a notification beside its transaction, which is compared before`() async throws {
        let signed = try apple.signer.sign(transaction: Sample.transaction("5"))
        let json = """
            {"notificationType":"ONE_TIME_CHARGE","notificationUUID":"u-1","version":"2.0",\
            "signedDate":\(Sample.start.milliseconds),"data":{"bundleId":"com.example.game",\
            "environment":"Production","signedTransactionInfo":"\(signed)"}}
            """
        apple.sent([try apple.signer.sign(payload: Array(json.utf8)), "rubbish"])
        _ = try start(.notifications(since: Sample.start.advanced(by: -1_000), until: Sample.start))
        let item = try #require(try due().first)
        let notifications = try meet(try finish(item, await group.service.worker?.perform(item) ?? []))
        #expect(notifications.map(\.identifier) == ["u-1"])
        #expect(try report().map(\.before) == ["unknown"])
        let progress = try #require(try get(.progress, asker).progress)
        #expect(progress.notifications == 2 && progress.unusableCount == 1)
    }

    @Test func `ends with a problem when Apple does not answer`() async throws {
        apple.mood = .down
        _ = try start(history)
        let item = try #require(try due().first)
        #expect(try finish(item, await group.service.worker?.perform(item) ?? []).isEmpty)
        let progress = try #require(try get(.progress, asker).progress)
        #expect(progress.isFinished && progress.problems.count == 1)
        #expect(progress.problems.first?.hasPrefix("com.example.game Production: ") == true)
    }

    @Test func `is forgotten after a week, and what it found, too`() async throws {
        apple.knows(Sample.transaction("1"))
        _ = try start(history)
        let item = try #require(try due().first)
        try meet(try finish(item, await group.service.worker?.perform(item) ?? []))
        group.pass(8 * 24 * 3_600_000, with: apple)
        for partition in 0..<ReceiptsGroup.partitions {
            _ = try group.run(partition) { context in
                try ReconciliationStore(connection: context.connection).forget(now: context.now)
            }
        }
        #expect(try get(.progress, asker).progress == nil)
        #expect(try report().isEmpty)
    }
}
