import ArgumentParser
import Contracts
import Domain
import NIOConcurrencyHelpers
import Program
import TestKit
import Testing

@testable import Control

@Suite struct `following a reconciliation` {
    typealias Found = FoundTransactions

    private static let id = EventID(unchecked: "r-1")

    private let group = ScriptedGroup()
    private let lines = NIOLockedValueBox<[String]>([])

    private var follower: ReconciliationFollower {
        ReconciliationFollower(group: group, id: Self.id, isVerbose: false) { [lines] line in
            lines.withLockedValue { $0.append(line) }
        }
    }

    /// What the command line asks for, of an app with both environments.
    private static func plan(_ arguments: String = "--environment production") throws -> ReconciliationPlan {
        let command = try ReconcileCommand.parse(arguments.split(separator: " ").map(String.init))
        let app = Configuration.App(bundleId: .game, keys: [])
        return try ReconciliationPlan(
            command,
            apps: [app],
            now: Timestamp(milliseconds: 1_767_225_600_000)
        )
    }

    private func start(_ arguments: String = "--environment production") async throws -> ReconciliationReport
    {
        try await follower.start(try Self.plan(arguments), isDryRun: false)
    }

    // MARK: The job

    @Test func `starts it in one partition, and reads what it found in all`() async throws {
        await group.reconcile(
            [Found.progress(isFinished: false), Found.progress(serverNotifications: 1, sent: 2)],
            [Found.transaction("1", "unknown", "held")],
            [Found.transaction("2", "held", "held, refunded")]
        )
        let report = try await start()
        let starts = await group.questions(ReconciliationStartV1.self)
        #expect(starts.map(\.reconciliationId) == [Self.id] && starts.map(\.steps.count) == [1])
        let address = PartitionAddress(.receipts, Shard(hashing: "r-1").partition(of: 4))
        #expect(await group.addressees(ReconciliationStartV1.self) == [address])
        #expect(Set(await group.addressees(ReconciliationGetV1.self)).count == group.partitions)
        #expect(report.rows(all: false).map(\.after?.sentence) == ["held by ada", "held by ada, refunded"])
        #expect(!report.isIncomplete && report.warnings.isEmpty)
        #expect(lines.withLockedValue { $0.first?.hasPrefix("reconciliation r-1: com.example.game") } == true)
    }

    @Test func `follows one that goes on already, and knows none that was not started`() async throws {
        await group.reconcile(
            [Found.progress(isDryRun: true, isFinished: false), Found.progress(isDryRun: true, sent: 1)],
            [Found.transaction("1", "unknown", nil, wouldBe: "handed in")]
        )
        let report = try await follower.follow()
        #expect(await group.questions(ReconciliationStartV1.self).isEmpty)
        #expect(report.rows(all: false).map(\.wouldBe) == ["handed in"])
        #expect(report.summary.hasSuffix("nothing was handed in"))
        await group.reconcile([])
        await #expect(throws: CommandFailure.self) { try await follower.follow() }
    }

    @Test func `gives Apple a minute for a page, and says that the group goes on`() async throws {
        await group.reconcile([Found.progress(isFinished: false)])
        let report = try await start()
        #expect(await group.pauses == ReconciliationFollower.maximumStillPolls)
        #expect(report.isIncomplete && report.missed.isEmpty)
        #expect(report.problems.first?.contains("no answer from Apple for 60 s") == true)
        #expect(report.problems.first?.contains("--follow r-1") == true)
    }

    @Test func `says at once when nobody is there to ask Apple`() async throws {
        await group.silence { $0 is ReconciliationStartV1 }
        let report = try await start()
        #expect(await group.questions(ReconciliationGetV1.self).isEmpty)
        #expect(report.isIncomplete && report.problems.count == 1)
    }

    @Test func `names the problems of the job`() async throws {
        var progress = Found.progress()
        progress.problems = ["com.example.game Production: no key is configured"]
        await group.reconcile([progress])
        let report = try await start()
        #expect(report.isIncomplete && report.warnings == progress.problems)
    }

    // MARK: Waiting for decisions

    @Test func `waits until nothing is proposed any more, and no longer`() async throws {
        await group.reconcile(
            [Found.progress(sent: 1)],
            ["unknown", "proposed", "proposed", "orphan"].map {
                Found.transaction("1", "unknown", $0, isUnderWay: $0 == "unknown")
            }
        )
        let report = try await start()
        #expect(await group.pauses == 3)
        #expect(report.rows(all: false).map(\.after?.sentence) == ["orphan"])
    }

    @Test func `waits for newer facts about a claim that is held, too`() async throws {
        await group.reconcile(
            [Found.progress(sent: 1)],
            ["held", "held", "held, refunded"].map {
                Found.transaction("1", "held", $0, isUnderWay: $0 == "held")
            }
        )
        let report = try await start()
        #expect(await group.pauses == 2)
        #expect(report.rows(all: false).map(\.after?.sentence) == ["held by ada, refunded"])
    }

    @Test func `waits only so long for what does not come, and says so`() async throws {
        await group.reconcile(
            [Found.progress(sent: 2)],
            [Found.transaction("1", "unknown", "unknown", isUnderWay: true)]
        )
        let missing = try await start()
        #expect(await group.pauses == PollLimit.maximumStillPolls)
        #expect(missing.warnings.first?.hasPrefix("2 were handed in and have not come to a claim") == true)
        #expect(!missing.isIncomplete)
    }

    @Test func `waits only so long for Orders, and says so`() async throws {
        await group.reconcile(
            [Found.progress(sent: 1)],
            [Found.transaction("1", "unknown", "proposed")]
        )
        let undecided = try await start()
        #expect(await group.pauses == PollLimit.maximumPolls - 1)
        #expect(undecided.warnings.first?.hasPrefix("1 wait for Orders") == true)
        #expect(!undecided.isIncomplete)
    }

    // MARK: Buyers

    @Test func `asks about the transactions in a buyer's ledger, the newest first`() async throws {
        let ids = ["1", "2", "3"].map(TransactionID.init(unchecked:))
        await group.enter([ids[0], ids[1], ids[2], ids[1]], in: .production)
        await group.reconcile([Found.progress()])
        let report = try await start("--buyer ada")
        let steps = await group.questions(ReconciliationStartV1.self).flatMap(\.steps)
        #expect(steps.map(\.environment) == [.production])
        #expect(steps.map(\.subject) == [.history(transactionIds: [ids[1], ids[2], ids[0]], since: nil)])
        #expect(!report.isIncomplete)
    }

    @Test func `looks for a buyer who is not known here otherwise, as the report says`() async throws {
        let report = try await start("--buyer ada")
        #expect(await group.questions(ReconciliationStartV1.self).isEmpty)
        #expect(report.isIncomplete)
        #expect(report.problems.first?.contains("give --apple-order") == true)
    }

    @Test func `does not call a buyer unknown whose ledger cannot be read`() async throws {
        await group.silence { $0 is LedgerGetV1 }
        let problems = try await start("--buyer ada").problems
        #expect(problems.count == 2 && problems.allSatisfy { $0.contains("does not answer") })
    }
}
