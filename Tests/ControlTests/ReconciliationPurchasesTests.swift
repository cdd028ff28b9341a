import Contracts
import Testing

@testable import Control

@Suite struct `a buyer's purchases` {
    typealias Apple = AppleFindings

    private static let places = [Environment.production, .sandbox].map {
        ReconciliationErrand.Place(bundleID: Apple.bundle, environment: $0)
    }

    private static func reconcile(
        with group: ScriptedGroup,
        since: Timestamp? = nil
    ) async throws -> ReconciliationReport {
        let errand = ReconciliationErrand.purchases(of: BuyerID(unchecked: "ada"), in: places, since: since)
        return try await Reconciliation(group: group, isDryRun: true, progress: ReconciliationProgress())
            .carryOut([errand])
    }

    /// Apple's answer for one who has bought these.
    private static func account(_ transactions: [TransactionID]) -> AppleAnswerV1 {
        AppleAnswerV1(findings: transactions.map { Apple.transaction(Apple.facts($0)) })
    }

    @Test func `are asked for by one transaction of each Apple account in the ledger`() async throws {
        let ids = (1...5).map { Apple.id(String($0)) }
        let accounts = [[ids[0], ids[1], ids[4]], [ids[2], ids[3]]]
        let group = ScriptedGroup { question in
            Self.account(accounts.first { $0.contains(question.transactionId ?? ids[0]) } ?? [])
        }
        await group.enter([ids[0], ids[1], ids[2], ids[1]], in: .production)
        let report = try await Self.reconcile(with: group)
        let questions = await group.questions(AppleAskV1.self)
        #expect(questions.map(\.question) == [.history, .history])
        #expect(questions.map(\.transactionId) == [ids[1], ids[2]])
        #expect(questions.map(\.environment) == [.production, .production])
        #expect(report.rows(all: true).map(\.transactionId) == ids)
        #expect(!report.isIncomplete)
    }

    @Test func `of a buyer who is not known here are looked for otherwise, as the report says`() async throws
    {
        let group = ScriptedGroup(pages: [])
        let report = try await Self.reconcile(with: group)
        #expect(await group.questions(AppleAskV1.self).isEmpty)
        #expect(report.isIncomplete)
        #expect(report.problems.first?.contains("give --apple-order") == true)
    }

    @Test func `are not called unknown when the ledger cannot be read`() async throws {
        let group = ScriptedGroup(pages: [])
        await group.silence { $0 is LedgerGetV1 }
        let problems = try await Self.reconcile(with: group).problems
        #expect(problems.count == 2 && problems.allSatisfy { $0.contains("does not answer") })
    }

    @Test func `of very many accounts are asked for up to a limit, which the report names`() async throws {
        let ids = (1...12).map { Apple.id(String($0)) }
        let group = ScriptedGroup { question in Self.account([question.transactionId ?? ids[0]]) }
        await group.enter(ids, in: .production)
        let whole = try await Self.reconcile(with: group)
        #expect(await group.questions(AppleAskV1.self).count == Reconciliation.maximumAccounts)
        #expect(
            whole.problems.first?.contains("2 transactions were paid by yet other Apple accounts") == true
        )
        let recent = try await Self.reconcile(with: group, since: Apple.early)
        #expect(await group.questions(AppleAskV1.self).last?.since == Apple.early)
        #expect(!recent.isIncomplete)
    }
}

@Suite struct `an order's purchases` {
    typealias Apple = AppleFindings

    private static let apps = ["com.example.one", "com.example.two", "com.example.three"]
        .map(BundleID.init(unchecked:))

    private static func reconcile(with group: ScriptedGroup) async throws -> ReconciliationReport {
        try await Reconciliation(group: group, isDryRun: true, progress: ReconciliationProgress())
            .carryOut([.order("MV123", of: apps)])
    }

    @Test func `are of the first app whose order it is, and that others do not know it is no problem`()
        async throws
    {
        let group = ScriptedGroup { question in
            guard question.bundleId == Self.apps[1] else { return AppleAnswerV1(problem: "no such order") }
            return AppleAnswerV1(findings: [Apple.transaction(Apple.facts(Apple.id("1"), of: Self.apps[1]))])
        }
        let report = try await Self.reconcile(with: group)
        let questions = await group.questions(AppleAskV1.self)
        #expect(questions.map(\.bundleId) == Array(Self.apps.prefix(2)))
        #expect(questions.map(\.appleOrderId) == ["MV123", "MV123"])
        #expect(report.rows(all: false).map(\.bundleId) == [Self.apps[1]])
        #expect(!report.isIncomplete)
    }

    @Test func `that no app has are a problem of each`() async throws {
        let report = try await Self.reconcile(
            with: ScriptedGroup { _ in AppleAnswerV1(problem: "no such order") }
        )
        #expect(report.problems == Self.apps.map { "\($0) Production: no such order" })
        #expect(report.isIncomplete)
    }
}
