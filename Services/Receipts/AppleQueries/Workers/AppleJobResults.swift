import Contracts
import Database
import Delivery

struct AppleJobResults: Sendable {
    let submissions: SubmissionWorkflow
    let serverNotifications: ServerNotificationWorkflow

    func finish(_ job: AppleJob, _ result: AppleJobResult, in context: HandlerContext) throws {
        switch job.kind {
        case .serverNotifications(let environment, let span):
            try finish(span, of: environment, job, result, in: context)
        case .renewalCheck(let check): try finish(check, job, result, in: context)
        case .reconciliation(let lookup): try finish(lookup, result, in: context)
        case .consumption(let key, let report):
            let told = report == nil ? nil : result
            try ConsumptionRequests(context).finish(key, told, askedAt: job.askedAt)
        case .proof, .evidence, .claimEvidence, .history:
            // The next job answers a query that was asked anew meanwhile.
            guard var query = try AppleQueryStore(connection: context.connection).query(job.id),
                query.askedAt == job.askedAt
            else { return }
            let directives = query.apply(
                result,
                now: context.now,
                apis: submissions.policies[query.bundleID]?.apis ?? [],
                random: context.newNumber()
            )
            for directive in directives { try carryOut(directive, query, in: context) }
        }
    }

    // MARK: Queries

    private func carryOut(
        _ directive: AppleQuery.Directive,
        _ query: AppleQuery,
        in context: HandlerContext
    ) throws {
        let store = AppleQueryStore(connection: context.connection)
        switch directive {
        case .judge(let contents): try judgeProof(query, contents: contents, in: context)
        case .fail(let failure): try judgeProof(query, failure: failure, in: context)
        case .weigh(let transactions, let mayKnowMore):
            try weigh(query, transactions, mayKnowMore: mayKnowMore, in: context)
        case .deliver(let transactions): try deliver(transactions, of: query.bundleID, in: context)
        case .deliverStatuses(let statuses): try deliver(statuses, of: query.bundleID, in: context)
        case .alert(let problem):
            guard try !store.contains(problem, in: query.queue) else { return }
            alert(problem, query.bundleID, in: context)
        case .save:
            try store.save(query)
            context.scheduleWork(at: query.dueAt)
        case .remove: try store.remove(query)
        }
    }

    private func judgeProof(
        _ query: AppleQuery,
        contents: ProofContents? = nil,
        failure: ProofFailure? = nil,
        in context: HandlerContext
    ) throws {
        let store = SubmissionStore(connection: context.connection)
        guard case .proof(let receipt) = query.subject, var record = try store.record(receipt) else { return }
        record.findings = contents
        if let contents { try store.save(contents, of: receipt) }
        let assessment =
            failure.map { SubmissionAssessment($0) } ?? submissions.assess(record, now: context.now)
        try store.judge(receipt, assessment, now: context.now)
        context.trace(
            Trace.Entry(
                time: context.now,
                type: "apple.\(query.api.rawValue).\(assessment.reason ?? "answered")",
                id: receipt.rawValue
            ),
            of: receipt.rawValue
        )
        try submissions.send(assessment, of: record, in: context)
    }

    /// Sends what Apple knows to the claims of what was asked about, and tells those of the rest that this was all.
    private func weigh(
        _ query: AppleQuery,
        _ transactions: [SignedTransaction],
        mayKnowMore: Bool,
        in context: HandlerContext
    ) throws {
        switch query.subject {
        case .evidence(let receipt, _, _):
            guard let record = try SubmissionStore(connection: context.connection).record(receipt) else {
                return
            }
            let listed = submissions.assess(record, now: context.now)
            let known = submissions.assess(ProofContents(transactions: transactions), in: record)
            let submission = record.submission(at: context.now)
            // Only the App Store Server API knows the tokens.
            let isLast = query.api == .serverAPI
            let parts = listed.weighed(by: known, submission, isLast: isLast, mayKnowMore: mayKnowMore)
                .parts(of: submissions.transactionsPerPart)
            try SubmissionParts(context).send(parts, of: receipt)
        case .claimEvidence(let claim):
            try deliver(transactions, of: query.bundleID, in: context)
            try context.send(claim)
        case .proof, .history: break
        }
    }

    /// Sends transactions without a submission to their claims if the app accepts them.
    private func deliver(
        _ transactions: [SignedTransaction],
        of bundleID: BundleID,
        in context: HandlerContext
    ) throws {
        guard let policy = submissions.policies[bundleID] else { return }
        for signed in transactions where policy.obstacle(signed) == nil {
            guard let facts = TransactionFacts(signed), facts.bundleId == bundleID else { continue }
            try ReportedTransactions(context).send(signed)
        }
    }

    private func deliver(
        _ statuses: [FoundStatus],
        of bundleID: BundleID,
        in context: HandlerContext
    ) throws {
        guard let policy = submissions.policies[bundleID] else { return }
        for status in statuses where policy.obstacle(status.transaction) == nil {
            guard let facts = TransactionFacts(status.transaction), facts.bundleId == bundleID else {
                continue
            }
            try ReportedTransactions(context).send(status)
        }
    }

    private func alert(_ problem: String, _ bundleID: BundleID, in context: HandlerContext) {
        context.alarm("asking Apple about \(bundleID): \(problem)")
    }

    // MARK: Schedules

    private func finish(
        _ check: RenewalCheck,
        _ job: AppleJob,
        _ result: AppleJobResult,
        in context: HandlerContext
    ) throws {
        let key = PurchaseKey(check.environment, job.queue.bundleID, check.purchaseId)
        let next = check.next(after: result, now: context.now)
        try RenewalCheckStore(connection: context.connection).set(next, key)
        if let next { context.scheduleWork(at: next.time) }
        try deliver(result.contents.transactions, of: job.queue.bundleID, in: context)
        try deliver(result.statuses, of: job.queue.bundleID, in: context)
    }

    private func finish(
        _ span: HistoryCursor.Span,
        of environment: Environment,
        _ job: AppleJob,
        _ result: AppleJobResult,
        in context: HandlerContext
    ) throws {
        let store = HistoryCursorStore(connection: context.connection)
        let bundleID = job.queue.bundleID
        var cursor = try store.cursor(bundleID, environment) ?? HistoryCursor(beginningAt: context.now)
        let directives = cursor.apply(result, of: span, now: context.now, random: context.newNumber())
        for directive in directives ?? [] {
            switch directive {
            case .deliver(let recovered):
                for notification in recovered { try deliver(notification, in: context) }
            case .alertForged(let count):
                let problem =
                    "\(count) notifications of \(bundleID) in Apple's history are not signed by Apple"
                context.alarm("\(problem); they are left out")
            case .alert(let problem): alert(problem, bundleID, in: context)
            }
        }
        guard directives != nil else { return }
        try store.save(cursor, bundleID, environment)
        context.scheduleWork(at: cursor.dueAt)
    }

    private func finish(
        _ lookup: Reconciliation.Lookup,
        _ result: AppleJobResult,
        in context: HandlerContext
    ) throws {
        let store = ReconciliationStore(connection: context.connection)
        // A page taken before is not the requested one.
        guard var job = try store.job(lookup.id), job.lookup == lookup else { return }
        let policy = submissions.policies[lookup.step.bundleId]
        let directives = job.apply(Reconciliation.Answer(result), policy: policy)
        try store.save(job, now: context.now)
        for directive in directives {
            switch directive {
            case .submit(let notification): try deliver(notification, in: context)
            case .compare(let found): try send(found, in: context)
            }
        }
        context.scheduleWork(at: context.now)
    }

    /// Most bytes of a notification in one event with its transaction.
    private static let longestBeside = 32 << 10

    /// A notification is sent with its transaction, which is compared first; only a very long one is sent separately.
    private func send(_ found: TransactionFoundV1, in context: HandlerContext) throws {
        var found = found
        let long = found.serverNotification.flatMap {
            $0.signedPayload.utf8.count > Self.longestBeside ? $0 : nil
        }
        if long != nil { found.serverNotification = nil }
        try context.send(found)
        if let long { try deliver(long, in: context) }
    }

    /// Longest notification sent on links, bytes; a longer one stays where it was found.
    private static let longestOnLink = 60 << 10

    /// Sends a notification to the partition that detects duplicates; one that is too long stays here.
    private func deliver(_ notification: ServerNotificationRecoveredV1, in context: HandlerContext) throws {
        if notification.signedPayload.utf8.count <= Self.longestOnLink {
            try context.send(notification)
            return
        }
        do {
            let record = ServerNotificationRecord(notification, request: context.newIdentifier())
            _ = try serverNotifications.accept(record, in: context)
        } catch let failure as ServerNotificationFailure {
            context.alarm("a notification of Apple's history was left out: \(failure)")
        }
    }
}
