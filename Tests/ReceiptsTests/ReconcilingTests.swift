import Contracts
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

    init() throws { (group, apple) = try ReceiptsGroup.asking(environments: [.production]) }

    private func start(
        _ subject: ReconciliationStartV1.Subject,
        isDryRun: Bool = false,
        id: String = "r-1"
    ) throws -> ReconciliationV1.Progress {
        let body = ReconciliationStartV1(
            reconciliationId: EventID(unchecked: id),
            isDryRun: isDryRun,
            steps: [.init(bundleId: Sample.app, environment: .production, subject)]
        )
        let handler = OnReconciliationStart(policies: group.policies).callAsFunction
        return try #require(try group.handle(body, in: asker, handler).outcome.reply?.progress)
    }

    private var history: ReconciliationStartV1.Subject {
        .history(transactionIds: [TransactionID(unchecked: "1")], since: nil)
    }

    private func get(
        _ part: ReconciliationGetV1.Part,
        _ partition: Int,
        id: String = "r-1"
    ) throws -> ReconciliationV1 {
        let body = ReconciliationGetV1(reconciliationId: EventID(unchecked: id), part: part)
        let handler = OnReconciliationGet().callAsFunction
        return try #require(try group.handle(body, in: partition, handler).outcome.reply)
    }

    private func progress() throws -> ReconciliationV1.Progress {
        try #require(try get(.progress, asker).progress)
    }

    /// The items of the reconciliation that are due.
    private func due() throws -> [WorkItem] { try group.due("reconciliation/", asker) }

    /// Asks Apple for a page, and delivers what was found; the notifications that it submits are returned.
    @discardableResult
    private func ask() async throws -> [ServerNotificationRecoveredV1] {
        let item = try #require(try due().first)
        return try meet(try group.finish(item, try await group.perform(item), asker).sent)
    }

    /// Delivers what was found, and what that sends in turn; the notifications that it submits are returned.
    private func meet(_ events: [OutgoingEvent]) throws -> [ServerNotificationRecoveredV1] {
        var notifications: [ServerNotificationRecoveredV1] = []
        for outgoing in events where outgoing.type == TransactionFoundV1.type {
            let message = try outgoing.decoded(TransactionFoundV1.self)
            #expect(outgoing.to.partition == ReceiptsGroup.partition(of: message.data.transaction))
            let (outcome, sent) = try group.run(outgoing.to.partition) {
                try OnTransactionFound()(message, in: $0)
            }
            #expect(outcome == .applied)
            notifications += try sent.bodies(ServerNotificationRecoveredV1.self)
            _ = try group.deliver(sent.filter { $0.type == TransactionVerifiedV1.type })
        }
        return notifications
    }

    /// What all partitions report, by transaction.
    private func report(_ part: ReconciliationGetV1.Part = .all) throws -> [Found] {
        try (0..<ReceiptsGroup.partitions).flatMap { try get(part, $0).transactions }
            .sorted { $0.transactionId < $1.transactionId }
            .map { found in
                let after = found.after.map(Self.text) ?? found.wouldBe ?? "-"
                return (found.transactionId.rawValue, Self.text(found.before), after)
            }
    }

    private static func text(_ status: ReconciliationV1.ClaimStatus) -> String {
        status.state + (status.revoked ? ", refunded" : "")
    }

    // MARK: The journey

    @Test func `finds what was missed, submits it, and tells what changed`() async throws {
        let known = Sample.transaction("1")
        try group.verifyAndHold(known)
        apple.knows(known, Sample.transaction("2", token: Sample.order.rawValue))
        #expect(try !start(history).isFinished)
        try await ask()
        let progress = try progress()
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
        let result = try await group.perform(item)
        #expect(try due().map(\.key) == [item.key])
        #expect(try group.finish(item, result, asker).sent.map(\.type) == [TransactionFoundV1.type])
        #expect(try group.finish(item, result, asker).sent.isEmpty)
        #expect(try progress().sent == 1)
        #expect(try start(history).isFinished)
        #expect(try due().isEmpty)
    }

    @Test func `changes nothing when it is done again`() async throws {
        apple.knows(Sample.transaction("1"))
        for name in ["r-1", "r-2"] {
            _ = try start(history, id: name)
            try await ask()
        }
        let partition = ReceiptsGroup.partition(of: Sample.transaction("1"))
        #expect(try group.rows("SELECT 1 FROM claim", partition: partition).count == 1)
        #expect(try get(.all, partition, id: "r-2").transactions.map(\.changed) == [false])
    }

    @Test func `submits nothing in a dry run`() async throws {
        apple.knows(Sample.transaction("1"))
        _ = try start(history, isDryRun: true)
        try await ask()
        #expect(try report().map(\.after) == ["handed in"])
        #expect(try group.rows("SELECT 1 FROM claim", of: Sample.transaction("1")).isEmpty)
    }

    @Test func `sees a restored purchase as known, and submits what is newer of it`() async throws {
        typealias Castle = `a purchase of several transactions`
        try group.verifyAndHold(Castle.first)
        apple.knows(Castle.castle("2", signed: 30, refunded: true))
        _ = try start(history)
        try await ask()
        #expect(try report().map(\.before) == ["held"])
        #expect(try report().map(\.after) == ["held, refunded"])
    }

    @Test func `submits a notification beside its transaction, which is compared before`() async throws {
        apple.notifications = [try apple.notification("u-1", Sample.transaction("5")), "rubbish"]
        _ = try start(.serverNotifications(since: Sample.start.advanced(by: -1_000), until: Sample.start))
        let notifications = try await ask()
        #expect(notifications.map(\.identifier) == ["u-1"])
        #expect(try report().map(\.before) == ["unknown"])
        let progress = try progress()
        #expect(progress.serverNotifications == 2 && progress.unusableCount == 1)
    }

    @Test func `ends with a problem when Apple does not answer`() async throws {
        apple.mood = .down
        _ = try start(history)
        #expect(try await ask().isEmpty)
        let progress = try progress()
        #expect(progress.isFinished && progress.problems.count == 1)
        #expect(progress.problems.first?.hasPrefix("com.example.game Production: ") == true)
    }

    @Test func `is forgotten after a week, and what it found, too`() async throws {
        apple.knows(Sample.transaction("1"))
        _ = try start(history)
        try await ask()
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
