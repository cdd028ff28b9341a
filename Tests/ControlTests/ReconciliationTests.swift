import Contracts
import Delivery
import Domain
import Testing

@testable import Control

@Suite struct `reconciling with Apple` {
    typealias Apple = AppleFindings

    private static func reconcile(
        _ errands: [ReconciliationErrand] = [.question(AppleFindings.question)],
        with group: ScriptedGroup,
        isDryRun: Bool = false
    ) async throws -> ReconciliationReport {
        let progress = ReconciliationProgress()
        return try await Reconciliation(group: group, isDryRun: isDryRun, progress: progress)
            .carryOut(errands)
    }

    private static func address(_ shard: Shard) -> PartitionAddress {
        PartitionAddress(.receipts, shard.partition(of: 4))
    }

    @Test func `hands in every page, each thing by its usual door`() async throws {
        let (first, second) = (Apple.id("1"), Apple.id("2"))
        let group = ScriptedGroup(pages: [
            .init(findings: [Apple.notification("n1", Apple.facts(first)), Apple.notification("n2")]),
            .init(findings: [Apple.transaction(Apple.facts(second))]),
        ])
        await group.expect([Apple.held(first)], of: first)
        await group.expect([Apple.held(second, by: "bob")], of: second)
        let report = try await Self.reconcile(with: group)
        let notifications = await group.questions(NotificationDeliverV1.self)
        #expect(notifications.map(\.signedPayload).sorted() == ["1", "test"])
        for (notification, address) in zip(
            notifications,
            await group.addressees(NotificationDeliverV1.self)
        ) {
            #expect(address == Self.address(PartitionKey.notification(notification.identifier).shard))
        }
        let transactions = await group.questions(TransactionDeliverV1.self)
        #expect(transactions == [.init(bundleId: Apple.bundle, signedTransaction: "2")])
        let chain = PartitionKey.chain(second, of: Apple.bundle).shard
        #expect(await group.addressees(TransactionDeliverV1.self) == [Self.address(chain)])
        let lines = report.rows(all: false).map { [$0.before.sentence, $0.after?.sentence ?? ""] }
        #expect(lines == [["unknown", "held by ada"], ["unknown", "held by bob"]])
        #expect(!report.isIncomplete && report.warnings.isEmpty)
    }

    @Test func `sees a restored purchase as held, and hands in what is newer of it`() async throws {
        let (first, restored) = (Apple.id("1"), Apple.id("2"))
        var facts = Apple.facts(restored, isRevoked: true)
        facts.originalTransactionId = first
        facts.purchaseId = PurchaseID(first)
        let group = ScriptedGroup(pages: [.init(findings: [Apple.transaction(facts)])])
        await group.stand([Apple.held(first, signed: Apple.early)])
        await group.expect([Apple.held(restored, isRevoked: true)], of: restored)
        let report = try await Self.reconcile(with: group)
        let lines = report.rows(all: false).map { [$0.before.sentence, $0.after?.sentence ?? ""] }
        #expect(lines == [["held by ada", "held by ada, refunded"]])
        #expect(await group.questions(ClaimsGetV1.self).first?.transactionIds == [first, restored])
        #expect(await group.questions(TransactionDeliverV1.self).map(\.signedTransaction) == ["2"])
    }

    @Test func `gives Apple a minute for a page, and asks first whether anybody is there`() async throws {
        let group = ScriptedGroup(pages: [.init(), .init()])
        _ = try await Self.reconcile(with: group)
        let heard = await group.heard
        #expect(heard.first?.question is PartitionStatusV1)
        #expect(heard.filter { $0.question is AppleAskV1 }.map(\.patience) == [60_000, 60_000])
        #expect(await Set(group.addressees(AppleAskV1.self)).count == 1)
        #expect(await group.questions(AppleAskV1.self).map(\.page) == [nil, "1"])
    }

    @Test func `keeps what was found when a later page has a problem`() async throws {
        let first = Apple.id("1")
        let group = ScriptedGroup(pages: [
            .init(findings: [Apple.notification("n1", Apple.facts(first))]),
            .init(problem: "no key is configured"), .init(),
        ])
        await group.expect([Apple.held(first)], of: first)
        let report = try await Self.reconcile(with: group)
        #expect(await group.questions(AppleAskV1.self).count == 2)
        #expect(report.rows(all: false).map(\.after?.sentence) == ["held by ada"])
        #expect(report.isIncomplete)
        #expect(report.problems == ["com.example.game Production: no key is configured"])
    }

    @Test func `hands in nothing in a dry run, and says what it would change`() async throws {
        let ids = ["1", "2", "3", "4"].map(Apple.id)
        let group = ScriptedGroup(pages: [
            .init(findings: [
                Apple.notification("n1", Apple.facts(ids[0])),
                Apple.transaction(Apple.facts(ids[1], isRevoked: true)),
                Apple.transaction(Apple.facts(ids[2])),
                Apple.transaction(Apple.facts(ids[3], signed: Apple.early, isRevoked: true)),
            ])
        ])
        await group.stand([
            Apple.held(ids[1], signed: Apple.early), Apple.held(ids[2], signed: Apple.early),
            Apple.held(ids[3]),
        ])
        let report = try await Self.reconcile(with: group, isDryRun: true)
        #expect(await group.questions(NotificationDeliverV1.self).isEmpty)
        #expect(await group.questions(TransactionDeliverV1.self).isEmpty)
        #expect(await group.pauses == 0)
        #expect(report.rows(all: false).map(\.prospect) == ["handed in", "refunded"])
        #expect(
            report.summary
                == "asked Apple: 1 notifications, 4 transactions; 1 are unknown here, 2 would change; "
                + "0 could not be used; nothing was handed in"
        )
    }

    @Test func `counts and names what cannot be used, and does not hand it in`() async throws {
        let bare = AppleAnswerV1.Finding()
        var nameless = Apple.notification("n3")
        nameless.notificationUUID = nil
        let group = ScriptedGroup(pages: [
            .init(findings: [
                Apple.broken(Apple.notification("n1", Apple.facts(Apple.id("1"))), "badSignature"),
                Apple.broken(Apple.transaction(Apple.facts(Apple.id("2"))), "wrongApp"), bare, nameless,
            ])
        ])
        let report = try await Self.reconcile(with: group)
        #expect(await group.questions(NotificationDeliverV1.self).isEmpty)
        #expect(await group.questions(TransactionDeliverV1.self).isEmpty)
        #expect(
            report.warnings == [
                "notification n1 cannot be used: badSignature", "transaction 2 cannot be used: wrongApp",
                "something without an id cannot be used: it cannot be read",
                "something without an id cannot be used: "
                    + "it has no notificationUUID",
            ]
        )
        #expect(report.summary.contains("asked Apple: 2 notifications, 0 transactions"))
        #expect(report.summary.hasSuffix("4 could not be used"))
        #expect(!report.isIncomplete)
    }

    @Test func `leaves a known notification alone, unless its transaction is not known as it is`()
        async throws
    {
        let ids = ["1", "2", "3"].map(Apple.id)
        let group = ScriptedGroup(pages: [
            .init(findings: [
                Apple.notification("n1", Apple.facts(ids[0])),
                Apple.notification("n2", Apple.facts(ids[1])),
                Apple.notification("n3", Apple.facts(ids[2], isRevoked: true)),
            ])
        ])
        await group.know(notifications: ["n1", "n2", "n3"])
        await group.stand([Apple.held(ids[0]), Apple.held(ids[2])])
        await group.expect([Apple.held(ids[1])], of: ids[1])
        await group.expect([Apple.held(ids[2], isRevoked: true)], of: ids[2])
        let report = try await Self.reconcile(with: group)
        let transactions = await group.questions(TransactionDeliverV1.self).map(\.signedTransaction)
        #expect(transactions.sorted() == ["2", "3"])
        let after = report.rows(all: true).map(\.after?.sentence)
        #expect(after == ["held by ada", "held by ada", "held by ada, refunded"])
        #expect(report.rows(all: false).map(\.transactionId) == [ids[1], ids[2]])
    }

    @Test func `waits until nothing is proposed any more, and no longer`() async throws {
        let first = Apple.id("1")
        let group = ScriptedGroup(pages: [.init(findings: [Apple.transaction(Apple.facts(first))])])
        await group.expect(
            [
                nil, Apple.claim(first, "proposed"), Apple.claim(first, "proposed"),
                Apple.claim(first, "orphan"),
            ],
            of: first
        )
        let report = try await Self.reconcile(with: group)
        #expect(await group.pauses == 4)
        #expect(report.rows(all: false).map(\.after?.sentence) == ["orphan"])
    }

    @Test func `waits for newer words about a claim that is held, too`() async throws {
        let first = Apple.id("1")
        let refund = Apple.facts(first, isRevoked: true)
        let group = ScriptedGroup(pages: [.init(findings: [Apple.transaction(refund)])])
        let before = Apple.held(first, signed: Apple.early)
        await group.stand([before])
        await group.expect([before, before, Apple.held(first, isRevoked: true)], of: first)
        let report = try await Self.reconcile(with: group)
        #expect(await group.pauses == 3)
        #expect(report.rows(all: false).map(\.after?.sentence) == ["held by ada, refunded"])
    }

    @Test func `waits only so long for what does not come, and says so`() async throws {
        let (parked, stuck) = (Apple.id("1"), Apple.id("2"))
        let first = ScriptedGroup(pages: [.init(findings: [Apple.transaction(Apple.facts(parked))])])
        let missing = try await Self.reconcile(with: first)
        #expect(await first.pauses == SettlingWatch.maximumStillLooks)
        #expect(missing.warnings.first?.hasPrefix("1 were handed in and have not come to a claim") == true)
        let second = ScriptedGroup(pages: [.init(findings: [Apple.transaction(Apple.facts(stuck))])])
        await second.stand([Apple.claim(stuck, "proposed")])
        let undecided = try await Self.reconcile(with: second)
        #expect(await second.pauses == SettlingWatch.maximumLooks - 1)
        #expect(undecided.warnings.first?.hasPrefix("1 wait for Orders") == true)
        #expect(!missing.isIncomplete && !undecided.isIncomplete)
    }

    @Test func `goes on with the next errand when one finds nobody there`() async throws {
        let first = Apple.id("1")
        var sandbox = Apple.question
        sandbox.environment = .sandbox
        let group = ScriptedGroup { question in
            let findings = [Apple.transaction(Apple.facts(first, in: question.environment))]
            return AppleAnswerV1(findings: findings)
        }
        await group.expect([Apple.held(first)], of: first)
        await group.silence { ($0 as? AppleAskV1)?.environment == .production }
        let report = try await Self.reconcile([.question(Apple.question), .question(sandbox)], with: group)
        #expect(report.problems.count == 1)
        #expect(report.problems.first?.contains("had no answer from Apple for 60 s") == true)
        #expect(report.rows(all: false).map(\.environment) == [.sandbox])
        #expect(report.isIncomplete)
    }

    @Test func `does not read on while what was found finds nobody to take it`() async throws {
        let page = AppleAnswerV1(findings: [Apple.notification("n1", Apple.facts(Apple.id("1")))])
        let group = ScriptedGroup(pages: [page, page])
        await group.silence { $0 is NotificationDeliverV1 }
        let report = try await Self.reconcile(with: group)
        #expect(await group.questions(AppleAskV1.self).count == 1)
        #expect(report.isIncomplete && report.problems.count == 1)
    }

    @Test func `names what the group did not take, and hands in the rest`() async throws {
        let (first, second) = (Apple.id("1"), Apple.id("2"))
        let group = ScriptedGroup(pages: [
            .init(findings: [Apple.transaction(Apple.facts(first)), Apple.transaction(Apple.facts(second))])
        ])
        await group.expect([Apple.held(second)], of: second)
        await group.refuse { ($0 as? TransactionDeliverV1)?.signedTransaction == "1" }
        let report = try await Self.reconcile(with: group)
        #expect(report.warnings.first?.hasPrefix("transaction 1 was not taken: /receipts/") == true)
        #expect(report.rows(all: false).map(\.transactionId) == [second])
        #expect(report.isIncomplete)
    }

    @Test func `ends when Apple names a page as the next of itself`() async throws {
        let group = ScriptedGroup { _ in AppleAnswerV1(next: "again") }
        let report = try await Self.reconcile(with: group)
        #expect(await group.questions(AppleAskV1.self).count == 2)
        #expect(report.problems.first?.contains("next of itself") == true)
    }
}
