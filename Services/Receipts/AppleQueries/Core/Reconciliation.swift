import Contracts
import Domain

/// The job that asks Apple what should be known here, step by step and page by page.
///
/// Tested by: `ReconciliationTests`.
///
/// | answer                         | what follows |
/// |--------------------------------|--------------|
/// | a page that names the next one | its findings; the next page |
/// | the last one of notifications  | its findings; the next step |
/// | the last one of a history      | its findings; the buyer's next Apple account, or else the next step |
/// | the last one of an order       | its findings; no other app is asked for the order if there are any |
/// | a failure                      | a problem; the next step |
///
/// Findings before a failure stay, and a repetition is harmless.
struct Reconciliation: Codable, Equatable, Sendable {
    typealias Step = ReconciliationStartV1.Step

    /// The page to request; a history's first transaction identifies the account.
    struct Lookup: Codable, Equatable, Sendable {
        let id: EventID
        let step: Step
        let page: String?
    }

    enum Answer: Equatable, Sendable {
        case page([AppleFinding], next: String?)
        case failed(String)
    }

    enum Directive: Equatable, Sendable {
        case compare(TransactionFoundV1)
        case submit(ServerNotificationRecoveredV1)
    }

    /// Most pages of one lookup: 200,000 notifications.
    static let maximumPages = 10_000
    static let maximumAccounts = 10
    static let maximumUnusable = 1_000

    let id: EventID
    private(set) var progress: ReconciliationV1.Progress
    private var steps: [Step] = []
    private var page: String?
    private var pageNumber = 1
    private var accountNumber = 1
    /// Other apps' problems with the order; dropped once an app has it.
    private var orderProblems: [String] = []

    /// A job for these apps; a step that Apple cannot be asked for is reported as a problem.
    init(_ start: ReconciliationStartV1, policies: [BundleID: AppPolicy]) {
        id = start.reconciliationId
        progress = ReconciliationV1.Progress(isDryRun: start.isDryRun)
        for step in start.steps {
            switch policies[step.bundleId]?.apis.contains(.serverAPI) {
            case true: steps.append(step)
            case false: fail(step, "no App Store Server API key is configured for it; add appStoreServer")
            case nil: fail(step, "no such app is configured")
            }
        }
        goOn()
    }

    /// The next page to request; nil when finished.
    var lookup: Lookup? {
        guard var step = steps.first else { return nil }
        if case .history(let transactions, let since) = step.subject {
            step.subject = .history(transactionIds: Array(transactions.prefix(1)), since: since)
        }
        return Lookup(id: id, step: step, page: page)
    }

    /// Applies the answer to `lookup`; `policy` is that of the step's app.
    mutating func apply(_ answer: Answer, policy: AppPolicy?) -> [Directive] {
        guard !steps.isEmpty else { return [] }
        switch answer {
        case .failed(let problem):
            endStep(problem)
            return []
        case .page(let findings, let next):
            let directives = findings.flatMap { assess($0, policy) }
            note(Set(findings.compactMap { TransactionID(rawValue: $0.transaction?.transactionId ?? "") }))
            if let next { turn(to: next) } else { endLookup() }
            return directives
        }
    }

    // MARK: Findings

    private mutating func assess(_ finding: AppleFinding, _ policy: AppPolicy?) -> [Directive] {
        if finding.signedPayload != nil || finding.notificationUUID != nil {
            progress.serverNotifications += 1
        }
        let notification = finding.notification
        if let problem = finding.problem ?? finding.defect {
            list(finding, problem)
            return []
        }
        guard let signed = finding.transaction, TransactionFacts(signed) != nil else {
            return progress.isDryRun ? [] : notification.map { [.submit($0)] } ?? []
        }
        var found = TransactionFoundV1(reconciliationId: id, transaction: signed, action: .submit)
        if progress.isDryRun {
            found.action = .dryRun
        } else {
            found.serverNotification = notification
            if let obstacle = policy.map({ $0.obstacle(signed) }) ?? .unknownApp {
                found.action = notification == nil ? .refuse : .submitServerNotification
                if notification == nil { list(finding, obstacle.rawValue, refused: true) }
            }
        }
        progress.sent += 1
        return [.compare(found)]
    }

    private mutating func list(_ finding: AppleFinding, _ problem: String, refused: Bool = false) {
        progress.unusableCount += 1
        guard progress.unusable.count < Self.maximumUnusable else { return }
        progress.unusable.append(
            ReconciliationV1.Unusable(
                notificationUUID: finding.notificationUUID,
                transactionId: finding.transaction?.transactionId,
                problem: problem,
                refused: refused
            )
        )
    }

    // MARK: Steps

    /// A transaction in a history needs no lookup; an app with the order's transactions has the order.
    private mutating func note(_ named: Set<TransactionID>) {
        switch steps[0].subject {
        case .serverNotifications: break
        case .history(let transactions, let since):
            let rest = transactions.prefix(1) + transactions.dropFirst().filter { !named.contains($0) }
            steps[0].subject = .history(transactionIds: Array(rest), since: since)
        case .order:
            guard !named.isEmpty else { return }
            steps.removeSubrange(1...)
            orderProblems = []
        }
    }

    private mutating func turn(to next: String) {
        if next == page {
            endStep("Apple names a page as the next of itself")
        } else if pageNumber == Self.maximumPages {
            endStep("Apple has more than \(Self.maximumPages) pages; give a later --since")
        } else {
            page = next
            pageNumber += 1
            goOn()
        }
    }

    private mutating func endLookup() {
        guard case .history(let transactions, let since) = steps[0].subject, transactions.count > 1 else {
            return endStep()
        }
        guard accountNumber < Self.maximumAccounts else {
            // With `since`, older transactions are missing from every answer, so absence proves nothing.
            return endStep(
                since == nil
                    ? "\(transactions.count - 1) transactions were paid by yet other Apple accounts than the "
                        + "\(Self.maximumAccounts) that were asked about" : nil
            )
        }
        steps[0].subject = .history(transactionIds: Array(transactions.dropFirst()), since: since)
        accountNumber += 1
        (page, pageNumber) = (nil, 1)
        goOn()
    }

    private mutating func endStep(_ problem: String? = nil) {
        let step = steps.removeFirst()
        if let problem { fail(step, problem) }
        (page, pageNumber, accountNumber) = (nil, 1, 1)
        goOn()
    }

    private mutating func fail(_ step: Step, _ problem: String) {
        let text = "\(step.bundleId) \(step.environment): \(problem)"
        if case .order = step.subject { orderProblems.append(text) } else { progress.problems.append(text) }
    }

    private mutating func goOn() {
        guard let step = steps.first else {
            progress.problems += orderProblems
            orderProblems = []
            progress.isFinished = true
            progress.step = ""
            return
        }
        progress.step = "\(step.bundleId) \(step.environment): page \(pageNumber)"
    }
}

extension Reconciliation.Answer {
    init(_ result: AppleJobResult) {
        self =
            switch result.outcome {
            case .found: .page(result.findings, next: result.next)
            case .refused: .failed("no App Store Server API key is configured for this app")
            case .unknown: .failed("Apple does not know it (\(result.problem ?? "no code"))")
            case .unavailable, .unauthorized, .contradicted, .tooLarge, .doubted:
                .failed(result.problem ?? "Apple has not answered")
            }
    }
}
