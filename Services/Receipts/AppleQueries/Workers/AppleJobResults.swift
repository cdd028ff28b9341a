import Contracts
import Database
import Delivery

/// Writes what has come of jobs with Apple, and does what follows.
struct AppleJobResults {
    let submissions: SubmissionWorkflow
    let serverNotifications: ServerNotificationWorkflow
    let context: HandlerContext

    func finish(_ job: AppleJob, _ result: AppleJobResult) throws {
        switch job.kind {
        case .serverNotifications(let environment, let span):
            try finish(span, of: environment, job.queue.bundleID, result)
        case .renewalCheck(let check): try finish(check, job.queue.bundleID, result)
        case .reconciliation(let lookup): try finish(lookup, result)
        case .consumption(let key, let report):
            let told = report == nil ? nil : result
            try ConsumptionRequests(context).finish(key, told, askedAt: job.askedAt)
        case .proof, .evidence, .claimEvidence, .history, .order:
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
            for directive in directives { try carryOut(directive, query) }
        }
    }

    // MARK: Queries

    private func carryOut(_ directive: AppleQuery.Directive, _ query: AppleQuery) throws {
        let store = AppleQueryStore(connection: context.connection)
        switch directive {
        case .judge(let contents): try judgeProof(query, contents: contents, failure: nil)
        case .fail(let failure): try judgeProof(query, contents: nil, failure: failure)
        case .weigh(let transactions, let mayKnowMore):
            try weigh(query, transactions, mayKnowMore: mayKnowMore)
        case .deliver(let transactions): try deliver(transactions, of: query.bundleID)
        case .deliverStatuses(let statuses): try deliver(statuses, of: query.bundleID)
        case .note(let transactions): try note(transactions, query)
        case .alert(let problem):
            guard try !store.contains(problem, in: query.queue) else { return }
            alert(problem, query.bundleID)
        case .save:
            try store.save(query)
            context.scheduleWork(at: query.dueAt)
        case .remove: try store.remove(query)
        }
    }

    private func judgeProof(_ query: AppleQuery, contents: ProofContents?, failure: ProofFailure?) throws {
        let store = SubmissionStore(connection: context.connection)
        guard case .proof(let receipt) = query.subject, var record = try store.record(receipt) else { return }
        record.findings = contents
        if let contents { try store.save(contents, of: receipt) }
        let assessment =
            failure.map { SubmissionAssessment($0) } ?? submissions.assess(record, now: context.now)
        try store.judge(receipt, assessment, now: context.now)
        let type = "apple.\(query.api.rawValue).\(assessment.reason ?? "answered")"
        let entry = Trace.Entry(time: context.now, type: type, id: receipt.rawValue)
        context.trace(entry, of: receipt.rawValue)
        try submissions.send(assessment, of: record, in: context)
    }

    /// Sends what Apple knows to the claims of what was asked about, and tells those of the rest that this was all.
    private func weigh(_ query: AppleQuery, _ transactions: [SignedTransaction], mayKnowMore: Bool) throws {
        switch query.subject {
        case .evidence(let receipt, _, _):
            guard let record = try SubmissionStore(connection: context.connection).record(receipt) else {
                return
            }
            let listed = submissions.assess(record, now: context.now)
            let known = submissions.assess(ProofContents(transactions: transactions), in: record)
            // Only the App Store Server API knows the tokens.
            let isLast = query.api == .serverAPI
            let parts = listed.weighed(by: known, isLast: isLast, mayKnowMore: mayKnowMore)
                .parts(of: submissions.transactionsPerPart)
            try SubmissionParts(context).send(parts, of: receipt)
        case .claimEvidence(let claim):
            try deliver(transactions, of: query.bundleID)
            try context.send(claim)
        case .proof, .history, .order: break
        }
    }

    /// Notes what belongs to the order of Apple's that somebody has asked for.
    private func note(_ transactions: [SignedTransaction], _ query: AppleQuery) throws {
        guard case .order(let order) = query.subject else { return }
        let facts = transactions.compactMap { TransactionFacts($0) }.filter { $0.bundleId == query.bundleID }
        try AppleOrders(context).answer(order, of: query.bundleID, facts, askedAt: query.askedAt)
    }

    private func deliver(_ transactions: [SignedTransaction], of bundleID: BundleID) throws {
        try deliver(transactions.map { FoundStatus(transaction: $0) }, of: bundleID)
    }

    /// Sends transactions without a submission to their claims if the app accepts them; without a subscription's
    /// status, which would have Apple asked again.
    private func deliver(_ statuses: [FoundStatus], of bundleID: BundleID) throws {
        guard let policy = submissions.policies[bundleID] else { return }
        for status in statuses where policy.obstacle(status.transaction) == nil {
            guard TransactionFacts(status.transaction)?.bundleId == bundleID else { continue }
            try context.send(TransactionVerifiedV1(transaction: status.transaction, renewal: status.renewal))
        }
    }

    private func alert(_ problem: String, _ bundleID: BundleID) {
        context.alarm(.appleQueryFailing, "asking Apple about \(bundleID): \(problem)")
    }

    // MARK: Schedules

    private func finish(_ check: RenewalCheck, _ bundleID: BundleID, _ result: AppleJobResult) throws {
        let key = PurchaseKey(check.environment, bundleID, check.purchaseId)
        let next = check.next(after: result, now: context.now)
        try RenewalCheckStore(connection: context.connection).set(next, key)
        if let next { context.scheduleWork(at: next.time) }
        try deliver(result.contents.transactions, of: bundleID)
        try deliver(result.statuses, of: bundleID)
    }

    private func finish(
        _ span: HistoryCursor.Span,
        of environment: Environment,
        _ bundleID: BundleID,
        _ result: AppleJobResult
    ) throws {
        let store = HistoryCursorStore(connection: context.connection)
        var cursor = try store.cursor(bundleID, environment) ?? HistoryCursor(beginningAt: context.now)
        let directives = cursor.apply(result, of: span, now: context.now, random: context.newNumber())
        guard let directives else { return }
        for directive in directives {
            switch directive {
            case .deliver(let recovered):
                for notification in recovered { try deliver(notification) }
            case .alertForged(let count):
                let problem =
                    "\(count) notifications of \(bundleID) in Apple's history are not signed by Apple"
                context.alarm(.serverNotificationLeftOut, "\(problem); they are left out")
            case .alert(let problem): alert(problem, bundleID)
            }
        }
        try store.save(cursor, bundleID, environment)
        context.scheduleWork(at: cursor.dueAt)
    }

    private func finish(_ lookup: Reconciliation.Lookup, _ result: AppleJobResult) throws {
        let store = ReconciliationStore(connection: context.connection)
        // A page taken before is not the requested one.
        guard var job = try store.job(lookup.id), job.lookup == lookup else { return }
        let policy = submissions.policies[lookup.step.bundleId]
        let directives = job.apply(Reconciliation.Answer(result), policy: policy)
        try store.save(job, now: context.now)
        for directive in directives {
            switch directive {
            case .submit(let notification): try deliver(notification)
            case .compare(let found): try send(found)
            }
        }
        context.scheduleWork(at: context.now)
    }

    /// Most bytes of a notification in one event with its transaction.
    private static let longestBeside = 32 << 10

    /// A notification is sent with its transaction, which is compared first; only a very long one is sent separately.
    private func send(_ found: TransactionFoundV1) throws {
        var found = found
        let long = found.serverNotification.flatMap {
            $0.signedPayload.utf8.count > Self.longestBeside ? $0 : nil
        }
        if long != nil { found.serverNotification = nil }
        try context.send(found)
        if let long { try deliver(long) }
    }

    /// Longest notification sent on links, bytes; a longer one stays where it was found.
    private static let longestOnLink = 60 << 10

    /// Sends a notification to the partition that detects duplicates; one that is too long stays here.
    private func deliver(_ notification: ServerNotificationRecoveredV1) throws {
        if notification.signedPayload.utf8.count <= Self.longestOnLink {
            try context.send(notification)
            return
        }
        do {
            let record = ServerNotificationRecord(notification, request: context.newIdentifier())
            _ = try serverNotifications.accept(record, in: context)
        } catch let failure as ServerNotificationFailure {
            context.alarm(
                .serverNotificationLeftOut,
                "a notification of Apple's history was left out: \(failure)"
            )
        }
    }
}
