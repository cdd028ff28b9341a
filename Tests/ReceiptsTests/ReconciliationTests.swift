import Contracts
import Domain
import Testing

@testable import Receipts

@Suite struct `a reconciliation` {
    typealias Step = ReconciliationStartV1.Step
    typealias Subject = ReconciliationStartV1.Subject

    private static let policy = Sample.policy(apis: [.serverAPI])
    private static let since = Sample.start.advanced(by: -86_400_000)
    private static let notifications = step(.serverNotifications(since: since, until: Sample.start))

    private static func step(_ subject: Subject, of app: BundleID = Sample.app) -> Step {
        Step(bundleId: app, environment: .production, subject)
    }

    private static func ids(_ ids: String...) -> [TransactionID] { ids.map(TransactionID.init(unchecked:)) }

    private static func job(_ steps: Step..., isDryRun: Bool = false) -> Reconciliation {
        let start = ReconciliationStartV1(
            reconciliationId: EventID(unchecked: "r-1"),
            isDryRun: isDryRun,
            steps: steps
        )
        let apps = Set(steps.map(\.bundleId))
        return Reconciliation(start, policies: Dictionary(uniqueKeysWithValues: apps.map { ($0, policy) }))
    }

    private static func finding(
        _ id: String?,
        uuid: String? = nil,
        environment: String = "Production",
        problem: String? = nil
    ) -> AppleFinding {
        AppleFinding(
            signedPayload: uuid,
            notificationUUID: uuid,
            transaction: id.map { Sample.transaction($0, environment: environment) },
            problem: problem
        )
    }

    /// What is done about a finding, in words.
    private static func words(_ directive: Reconciliation.Directive) -> String {
        switch directive {
        case .submit(let notification): "notification \(notification.identifier)"
        case .compare(let found):
            "\(found.transaction.transactionId) \(found.action) \(found.serverNotification?.identifier ?? "-")"
        }
    }

    /// Apple's answers, one after the other, and what was done about each.
    @discardableResult
    private static func answer(
        _ job: inout Reconciliation,
        _ answers: Reconciliation.Answer...,
        policy: AppPolicy = policy
    ) -> [[Reconciliation.Directive]] {
        answers.map { job.apply($0, policy: policy) }
    }

    private static func page(_ ids: String..., next: String? = nil) -> Reconciliation.Answer {
        .page(ids.map { finding($0) }, next: next)
    }

    // MARK: Pages and steps

    @Test func `asks for every page of every step, one after the other`() {
        var job = Self.job(Self.notifications, Self.step(.order(appleOrderId: "MV123")))
        #expect(job.lookup?.step == Self.notifications && job.lookup?.page == nil)
        Self.answer(&job, Self.page("1", next: "p2"))
        #expect(job.lookup?.step == Self.notifications && job.lookup?.page == "p2")
        #expect(job.progress.step == "com.example.game Production: page 2")
        Self.answer(&job, Self.page("2"))
        #expect(job.lookup?.step.subject == .order(appleOrderId: "MV123") && job.lookup?.page == nil)
        #expect(!job.progress.isFinished)
        Self.answer(&job, Self.page("3"))
        #expect(job.lookup == nil && job.progress.isFinished)
        #expect(job.progress.sent == 3 && job.progress.problems.isEmpty)
        let finished = job
        let done = Self.answer(&job, Self.page("4"))
        #expect(done == [[]] && job == finished)
    }

    @Test(arguments: [
        (Reconciliation.Answer.failed("Apple is down"), "com.example.game Production: Apple is down"),
        (.page([], next: "p2"), "com.example.game Production: Apple names a page as the next of itself"),
    ])
    func `keeps what was found when a later page has a problem, and goes on with the next step`(
        answer: Reconciliation.Answer,
        problem: String
    ) {
        var job = Self.job(Self.notifications, Self.step(.order(appleOrderId: "MV123")))
        Self.answer(&job, Self.page("1", next: "p2"), answer)
        #expect(job.progress.problems == [problem])
        #expect(job.progress.sent == 1)
        #expect(job.lookup?.step.subject == .order(appleOrderId: "MV123"))
    }

    @Test func `ends a lookup that has too many pages`() {
        var job = Self.job(Self.notifications)
        for number in 1...Reconciliation.maximumPages {
            Self.answer(&job, .page([], next: "p\(number)"))
        }
        #expect(job.progress.isFinished)
        #expect(job.progress.problems.first?.contains("more than 10000 pages") == true)
    }

    @Test func `does not ask about apps that Apple cannot be asked about, and says so`() {
        let start = ReconciliationStartV1(
            reconciliationId: EventID(unchecked: "r-1"),
            isDryRun: false,
            steps: [Self.notifications, Self.step(.order(appleOrderId: "MV123"), of: Sample.otherApp)]
        )
        let job = Reconciliation(start, policies: [Sample.app: Sample.policy])
        #expect(job.progress.isFinished && job.lookup == nil)
        #expect(
            job.progress.problems == [
                "com.example.game Production: no App Store Server API key is configured for it; add appStoreServer",
                "com.example.other Production: no such app is configured",
            ]
        )
    }

    // MARK: Findings

    @Test(arguments: [
        (false, ["1 submit n1", "notification n2", "2 submit -"]), (true, ["1 dryRun -", "2 dryRun -"]),
    ])
    func `submits each thing by its usual door, and nothing in a dry run`(isDryRun: Bool, actions: [String]) {
        var job = Self.job(Self.notifications, isDryRun: isDryRun)
        let findings = [Self.finding("1", uuid: "n1"), Self.finding(nil, uuid: "n2"), Self.finding("2")]
        let done = Self.answer(&job, .page(findings, next: nil))
        #expect(done[0].map(Self.words) == actions)
        #expect(job.progress.isDryRun == isDryRun)
        #expect(job.progress.serverNotifications == 2 && job.progress.sent == 2)
    }

    @Test func `counts and names what cannot be used, and does not submit it`() {
        let broken = Self.finding("1", uuid: "n1", problem: "badSignature")
        let wrong = Self.finding("2", problem: "wrongApp")
        var nameless = Self.finding("3", uuid: "n3")
        nameless.notificationUUID = nil
        var job = Self.job(Self.notifications)
        let done = Self.answer(&job, .page([broken, wrong, AppleFinding(), nameless], next: nil))
        #expect(done == [[]])
        let listed = job.progress.unusable.map {
            [$0.notificationUUID ?? $0.transactionId ?? "-", $0.problem]
        }
        #expect(
            listed == [
                ["n1", "badSignature"], ["2", "wrongApp"], ["-", "it cannot be read"],
                ["3", "it has no notificationUUID"],
            ]
        )
        #expect(job.progress.unusableCount == 4 && job.progress.serverNotifications == 2)
        #expect(job.progress.sent == 0 && !job.progress.unusable.contains(where: \.refused))
    }

    @Test func `counts unusable findings without end, and lists the first of them`() {
        let broken = AppleFinding(problem: "badSignature")
        var job = Self.job(Self.notifications)
        let count = Reconciliation.maximumUnusable + 5
        Self.answer(&job, .page(Array(repeating: broken, count: count), next: nil))
        #expect(job.progress.unusableCount == count)
        #expect(job.progress.unusable.count == Reconciliation.maximumUnusable)
    }

    @Test func `names what the app does not take, and submits the rest`() {
        let refusing = AppPolicy(environments: [.production, .sandbox], sandbox: .refuse, apis: [.serverAPI])
        let sandbox = Self.finding("1", environment: "Sandbox")
        let notified = Self.finding("2", uuid: "n2", environment: "Sandbox")
        var job = Self.job(Self.notifications)
        let findings = [sandbox, notified, Self.finding("3")]
        let done = Self.answer(&job, .page(findings, next: nil), policy: refusing)
        #expect(done[0].map(Self.words) == ["1 refuse -", "2 submitServerNotification n2", "3 submit -"])
        let refused = job.progress.unusable.filter(\.refused)
        #expect(refused.map(\.transactionId) == ["1"])
        #expect(refused.map(\.problem) == ["sandboxRefused"])
    }

    // MARK: Buyers

    @Test func `asks about one transaction of each Apple account of a buyer`() {
        var job = Self.job(Self.step(.history(transactionIds: Self.ids("5", "2", "1"), since: nil)))
        #expect(job.lookup?.step.subject == .history(transactionIds: Self.ids("5"), since: nil))
        Self.answer(&job, Self.page("1", next: "p2"))
        #expect(job.lookup?.step.subject == .history(transactionIds: Self.ids("5"), since: nil))
        Self.answer(&job, Self.page("5"))
        #expect(job.lookup?.step.subject == .history(transactionIds: Self.ids("2"), since: nil))
        #expect(job.lookup?.page == nil)
        Self.answer(&job, Self.page("2"))
        #expect(job.progress.isFinished && job.progress.problems.isEmpty)
    }

    @Test(arguments: [nil, since] as [Timestamp?])
    func `asks about so many Apple accounts of a buyer, and names the limit unless a time narrows it`(
        since: Timestamp?
    ) {
        let ids = (1...12).map { TransactionID(unchecked: String($0)) }
        var job = Self.job(Self.step(.history(transactionIds: ids, since: since)))
        var asked = 0
        while let step = job.lookup?.step, case .history(let transactions, let time) = step.subject {
            #expect(time == since)
            asked += 1
            Self.answer(&job, Self.page(transactions[0].rawValue))
        }
        #expect(asked == Reconciliation.maximumAccounts)
        #expect(
            job.progress.problems.map { $0.contains("2 transactions were paid by yet other Apple accounts") }
                == (since == nil ? [true] : [])
        )
    }

    // MARK: Orders

    @Test func `asks one app after the other for an order, until one has it`() {
        let apps = [Sample.otherApp, Sample.app, BundleID(unchecked: "com.example.third")]
        let steps = apps.map { Self.step(.order(appleOrderId: "MV123"), of: $0) }
        var job = Self.job(steps[0], steps[1], steps[2])
        Self.answer(&job, .failed("no such order"))
        #expect(job.lookup?.step.bundleId == Sample.app)
        Self.answer(&job, Self.page("1"))
        #expect(job.progress.isFinished && job.progress.problems.isEmpty)

        var unknown = Self.job(steps[0], steps[1], steps[2])
        for _ in apps { Self.answer(&unknown, .failed("no such order")) }
        #expect(unknown.progress.problems == apps.map { "\($0) Production: no such order" })
    }
}

@Suite struct `a transaction that a reconciliation found` {
    private static let known = claim(signed: 0)

    private static func claim(
        signed: Int64,
        isRevoked: Bool = false,
        state: String = "held"
    ) -> ClaimsV1.Claim {
        ClaimsV1.Claim(
            transactionId: TransactionID(unchecked: "1"),
            state: state,
            signedDate: Sample.start.advanced(by: signed * 1_000),
            isRevoked: isRevoked
        )
    }

    /// What is done about findings, one after the other, and how the transaction stands then.
    private static func found(
        _ signed: SignedTransaction...,
        action: TransactionFoundV1.Action,
        claim: ClaimsV1.Claim?,
        notification: ServerNotificationRecoveredV1? = nil
    ) throws -> (FoundTransaction, [FoundTransaction.Directive]) {
        let all = try signed.map { (signed: $0, facts: try #require(TransactionFacts($0))) }
        var found = FoundTransaction(all[0].facts, claim: claim, isDryRun: action == .dryRun)
        let directives = all.flatMap { signed, facts in
            var message = TransactionFoundV1(
                reconciliationId: EventID(unchecked: "r-1"),
                transaction: signed,
                action: action
            )
            message.serverNotification = notification
            return found.apply(message, facts, claim: claim)
        }
        return (found, directives)
    }

    @Test(
        arguments: [
            (signed: 5, refunded: false, claim: nil, wouldBe: "handed in"),
            (signed: 5, refunded: true, claim: nil, wouldBe: "handed in, refunded"),
            (signed: 5, refunded: true, claim: claim(signed: 0), wouldBe: "refunded"),
            (signed: 5, refunded: false, claim: claim(signed: 0), wouldBe: nil),
            (
                signed: 5, refunded: false, claim: claim(signed: 0, isRevoked: true),
                wouldBe: "no longer refunded"
            ),
            (signed: 0, refunded: true, claim: claim(signed: 0), wouldBe: "refunded"),
            (signed: 0, refunded: true, claim: claim(signed: 5), wouldBe: nil),
        ] as [(signed: Int64, refunded: Bool, claim: ClaimsV1.Claim?, wouldBe: String?)]
    )
    func `says in a dry run what submitting it would change`(
        _ row: (signed: Int64, refunded: Bool, claim: ClaimsV1.Claim?, wouldBe: String?)
    ) throws {
        let signed = Sample.transaction("1", signed: row.signed, refunded: row.refunded)
        let (found, directives) = try Self.found(signed, action: .dryRun, claim: row.claim)
        let report = found.report(claim: row.claim)
        #expect(directives.isEmpty)
        #expect(report.wouldBe == row.wouldBe && report.changed == (row.wouldBe != nil))
        #expect(report.after == nil && !report.isUnderWay)
    }

    @Test func `is under way until its claim says what Apple says, and changed if it was not so before`()
        throws
    {
        let refund = Sample.transaction("1", signed: 5, refunded: true)
        let (found, directives) = try Self.found(refund, action: .submit, claim: Self.known)
        #expect(directives == [.verify])
        #expect(found.report(claim: Self.known).isUnderWay && !found.report(claim: Self.known).changed)
        let after = found.report(claim: Self.claim(signed: 5, isRevoked: true))
        #expect(!after.isUnderWay && after.changed && !after.isOpen)
        #expect(found.report(claim: Self.claim(signed: 5, isRevoked: true, state: "proposed")).isOpen)
    }

    @Test func `goes with its notification, and by itself only if its claim does not know what Apple says`()
        throws
    {
        let notification = ServerNotificationRecoveredV1(identifier: "n1", signedPayload: "n1")
        let signed = Sample.transaction("1", signed: 5)
        for (claim, directives): (ClaimsV1.Claim?, [FoundTransaction.Directive]) in [
            (nil, [.submit(notification), .verify]), (Self.known, [.submit(notification), .verify]),
            (Self.claim(signed: 5), [.submit(notification)]),
        ] {
            let done = try Self.found(signed, action: .submit, claim: claim, notification: notification).1
            #expect(done == directives)
        }
        let parked = try Self.found(
            signed,
            action: .submitServerNotification,
            claim: nil,
            notification: notification
        )
        #expect(parked.1 == [.submit(notification)] && parked.0.report(claim: nil).isUnderWay)
        let refused = try Self.found(signed, action: .refuse, claim: nil)
        #expect(refused.1.isEmpty && !refused.0.report(claim: nil).isUnderWay)
    }

    @Test func `goes by the newest of what Apple said about it`() throws {
        let purchase = Sample.transaction("1", signed: 0)
        let refund = Sample.transaction("1", signed: 5, refunded: true)
        for (first, second) in [(refund, purchase), (purchase, refund)] {
            let (found, _) = try Self.found(first, second, action: .dryRun, claim: Self.known)
            #expect(found.findings == 2)
            #expect(found.report(claim: Self.known).wouldBe == "refunded")
        }
    }
}
