import AppStore
import Contracts
import Database
import Delivery
import Domain
import ReceiptsCore

/// Writes what came of an errand, and sets on its way whatever was found.
struct ErrandResults: Sendable {
    let submissions: SubmissionRoad
    let notifications: NotificationRoad

    func take(_ report: ErrandReport, of errand: Errand, in context: inout HandlerContext) throws {
        switch errand.matter {
        case .notifications(let span): try take(report, span, errand, in: &context)
        case .lapse(let lapse): try take(report, lapse, errand, in: &context)
        case .proof, .confirmation, .history, .operator:
            let store = QuestionStore(connection: context.connection)
            // Asked anew meanwhile, it is answered by the next attempt.
            guard let row = try store.row(errand.id), row.askedAt == errand.askedAt else { return }
            try take(report, row, in: &context)
        }
    }

    private func take(
        _ report: ErrandReport,
        _ row: QuestionRow,
        in context: inout HandlerContext
    ) throws {
        switch row.subject {
        case .proof(let receipt):
            guard let record = try SubmissionStore(connection: context.connection).record(receipt) else {
                return try drop(row, in: &context)
            }
            try judge(report, row, record, in: &context)
        case .confirmation(let receipt, _): try confirm(report, row, receipt, in: &context)
        case .history(let question): try note(report, row, question, in: &context)
        case .operator: try answer(report, row, in: &context)
        }
    }

    // MARK: Proofs

    private func judge(
        _ report: ErrandReport,
        _ row: QuestionRow,
        _ record: SubmissionRecord,
        in context: inout HandlerContext
    ) throws {
        var row = row
        let authority = row.question.authority
        let directives = row.question.apply(
            report.answer(now: context.now),
            now: context.now,
            authorities: submissions.policies[record.bundleID]?.authorities ?? []
        )
        for directive in directives {
            switch directive {
            case .settle(let transactions, let unreadable):
                let findings = ProofContents(
                    transactions: transactions,
                    unreadable: unreadable,
                    appAppleId: report.appAppleId
                )
                try settle(record, findings: findings, by: authority, in: &context)
                try drop(row, in: &context)
            case .fail(let failure):
                try settle(record, failure: failure, by: authority, in: &context)
                try drop(row, in: &context)
            case .ask(let moment): try askAgain(row, report, at: moment, in: &context)
            case .callOperator: try alarm(report, row, in: &context)
            }
        }
    }

    private func settle(
        _ record: SubmissionRecord,
        findings: ProofContents? = nil,
        failure: ProofFailure? = nil,
        by authority: Authority,
        in context: inout HandlerContext
    ) throws {
        let store = SubmissionStore(connection: context.connection)
        var record = record
        record.findings = findings
        if let findings { try store.keep(findings, of: record.receiptID) }
        let reading =
            failure.map(SubmissionReading.init(_:)) ?? submissions.read(record, now: context.now)
        try store.judge(record.receiptID, reading, now: context.now)
        context.record(
            Trace.Entry(
                time: context.now,
                type: "apple.\(authority.rawValue).\(reading.reason ?? "answered")",
                id: record.receiptID.rawValue
            ),
            of: record.receiptID.rawValue
        )
        try submissions.send(reading, of: record, in: &context)
    }

    // MARK: What may have been missed

    /// Sends what Apple took back, or what the receipt did not hold, to its claim.
    private func confirm(
        _ report: ErrandReport,
        _ row: QuestionRow,
        _ receipt: ReceiptID,
        in context: inout HandlerContext
    ) throws {
        switch report.outcome {
        case .unavailable, .unauthorized: return try postpone(row, report, in: &context)
        case .found, .contradicted, .unknown, .tooLarge, .refused, .doubted: break
        }
        let store = SubmissionStore(connection: context.connection)
        if let record = try store.record(receipt), let step = try store.step(receipt) {
            let news = report.transactions.filter {
                $0.revocationDate != nil || !step.transactionIDs.contains($0.transactionId)
            }
            let reading = submissions.reading(of: ProofContents(transactions: news), in: record)
            for item in reading.admitted {
                // What the receipt names otherwise has no line of its own in its verdict.
                let isNamedOtherwise =
                    !step.transactionIDs.contains(item.facts.transactionId.rawValue)
                    && step.transactionIDs.contains(item.facts.purchaseId.rawValue)
                let submission = isNamedOtherwise ? nil : record.submission
                try context.sendToClaim(item.signed, item.facts, for: submission)
            }
        }
        try drop(row, in: &context)
    }

    /// Sends a page of a customer's transactions to their claims, and asks for the next one.
    private func note(
        _ report: ErrandReport,
        _ row: QuestionRow,
        _ question: HistoryQuestion,
        in context: inout HandlerContext
    ) throws {
        var next: (page: String?, at: Timestamp)?
        switch report.outcome {
        case .unavailable, .unauthorized: return try postpone(row, report, in: &context)
        case .unknown where question.page != nil:
            // Apple does not know the place of the page any more: once more from the first.
            next = (nil, context.now.advanced(by: APIFailure.alarmPause))
        case .found: next = report.next.map { ($0, context.now) }
        case .contradicted, .unknown, .tooLarge, .refused, .doubted: break
        }
        try send(report.transactions, of: row.bundleID, in: &context)
        guard let next else { return try drop(row, in: &context) }
        var question = question
        question.page = next.page
        try askAgain(row.asking(.history(question)), report, at: next.at, in: &context)
    }

    private func take(
        _ report: ErrandReport,
        _ lapse: SubscriptionLapse,
        _ errand: Errand,
        in context: inout HandlerContext
    ) throws {
        let watches = SubscriptionWatches(connection: context.connection)
        let key = PurchaseKey(
            environment: lapse.environment,
            bundleID: errand.bundleID,
            purchaseID: lapse.purchaseId
        )
        var look: Timestamp?
        switch report.outcome {
        case .unavailable, .unauthorized:
            look = report.until ?? context.now.advanced(by: APIFailure.alarmPause)
        case .found, .contradicted, .unknown, .tooLarge, .refused, .doubted:
            let wentOn = SubscriptionWatch.wentOn(
                report.transactions,
                from: lapse.transactionId,
                until: lapse.expiresDate
            )
            if !wentOn {
                look = SubscriptionWatch.nextLook(ofPeriodUntil: lapse.expiresDate, now: context.now)
            }
        }
        try watches.set(look, key)
        if let look { context.scheduleWork(at: look) }
        try send(report.transactions, of: errand.bundleID, in: &context)
    }

    /// Hands a page of notifications to the partitions that know whether they came before.
    private func take(
        _ report: ErrandReport,
        _ span: NotificationSpan,
        _ errand: Errand,
        in context: inout HandlerContext
    ) throws {
        let store = NotificationReadingStore(connection: context.connection)
        let known = try store.reading(errand.bundleID, span.environment)
        var reading = known ?? NotificationReading(beginningAt: context.now)
        switch report.outcome {
        case .unavailable, .unauthorized:
            if reading.troubles == 0, report.outcome == .unauthorized {
                alarm(report, errand, in: &context)
            }
            reading.postpone(until: again(report, after: reading.troubles + 1, in: context))
        case .contradicted, .unknown, .tooLarge, .refused, .doubted:
            reading.startOver(at: again(report, after: reading.troubles + 1, in: context))
        case .found:
            guard reading.take(span.span, next: report.next, now: context.now) else { return }
            for notification in report.notifications { try send(notification, in: &context) }
            if report.unreadable > 0 {
                context.alarm(
                    "\(report.unreadable) notifications of \(errand.bundleID) in Apple's history are not Apple's by their "
                        + "signatures; they are left out"
                )
            }
        }
        try store.save(reading, errand.bundleID, span.environment)
        context.scheduleWork(at: reading.dueAt)
    }

    // MARK: Operators

    private func answer(
        _ report: ErrandReport,
        _ row: QuestionRow,
        in context: inout HandlerContext
    ) throws {
        let answer =
            switch report.outcome {
            case .found: report.answer ?? AppleAnswerV1()
            case .refused: AppleAnswerV1(problem: "no App Store Server API key is configured for this app")
            case .unknown: AppleAnswerV1(problem: "Apple does not know it (\(report.trouble ?? "no code"))")
            case .unavailable, .unauthorized, .contradicted, .tooLarge, .doubted:
                AppleAnswerV1(problem: report.trouble ?? "Apple has not answered")
            }
        let bytes = try EventCoder.encoder().encode(answer)
        try QuestionStore(connection: context.connection).answer(row, with: [UInt8](bytes))
        context.wake(row.id)
    }
}

// MARK: Ways

extension ErrandResults {
    private func drop(_ row: QuestionRow, in context: inout HandlerContext) throws {
        try QuestionStore(connection: context.connection).remove(row)
    }

    /// Keeps the question for its next attempt.
    private func askAgain(
        _ row: QuestionRow,
        _ report: ErrandReport,
        at moment: Timestamp,
        in context: inout HandlerContext
    ) throws {
        var row = row
        let isTrouble = report.outcome == .unavailable || report.outcome == .unauthorized
        row.troubles = isTrouble ? row.troubles + 1 : 0
        row.trouble = report.trouble
        row.dueAt = isTrouble ? again(report, after: row.troubles, in: context) : moment
        try QuestionStore(connection: context.connection).save(row)
        context.scheduleWork(at: row.dueAt)
    }

    private func postpone(
        _ row: QuestionRow,
        _ report: ErrandReport,
        in context: inout HandlerContext
    ) throws {
        if report.outcome == .unauthorized { try alarm(report, row, in: &context) }
        try askAgain(row, report, at: report.until ?? context.now, in: &context)
    }

    /// When to ask again after so many attempts without a word of Apple's: soon, as it may be back.
    private func again(
        _ report: ErrandReport,
        after troubles: Int,
        in context: HandlerContext
    ) -> Timestamp {
        let pause = VerifyReceiptClient.backoff.pause(after: troubles, random: context.newNumber())
        return max(context.now.advanced(by: pause), report.until ?? context.now)
    }

    /// Calls an operator, unless a question of the app has met with the same trouble.
    private func alarm(_ report: ErrandReport, _ row: QuestionRow, in context: inout HandlerContext) throws {
        let store = QuestionStore(connection: context.connection)
        guard let trouble = report.trouble, try !store.meets(trouble, row) else { return }
        context.alarm("asking Apple about \(row.bundleID): \(trouble)")
    }

    private func alarm(_ report: ErrandReport, _ errand: Errand, in context: inout HandlerContext) {
        context.alarm("asking Apple about \(errand.bundleID): \(report.trouble ?? "no word")")
    }

    /// Sends what nobody handed in to its claim, as far as the app takes it.
    private func send(
        _ transactions: [SignedTransaction],
        of bundleID: BundleID,
        in context: inout HandlerContext
    ) throws {
        guard let policy = submissions.policies[bundleID] else { return }
        for signed in transactions where policy.obstacle(signed) == nil {
            guard let facts = TransactionFacts(signed), facts.bundleId == bundleID else { continue }
            try context.sendToClaim(signed, facts)
        }
    }

    /// Notifications of more bytes do not travel on links and are kept where they were found.
    private static let longestOnLink = 60 << 10

    private func send(_ notification: NotificationRecoveredV1, in context: inout HandlerContext) throws {
        guard notification.signedPayload.utf8.count > Self.longestOnLink else {
            try context.send(
                notification
            )
            return
        }
        do {
            _ = try notifications.take(
                NotificationStore.Record(
                    identifier: notification.identifier,
                    signedPayload: notification.signedPayload,
                    requestID: context.newIdentifier()
                ),
                in: &context
            )
        } catch let failure as NoticeFailure {
            context.alarm("a notification of Apple's history was left out: \(failure)")
        }
    }
}

extension QuestionRow {
    /// The same row about something else, with all that is kept.
    fileprivate func asking(_ subject: Subject) -> QuestionRow {
        var row = QuestionRow(subject, of: bundleID, to: question.authority, urgency: urgency, now: askedAt)
        (row.question, row.dueAt, row.troubles, row.trouble) = (question, dueAt, troubles, trouble)
        return row
    }
}

extension ErrandReport {
    /// What came of an attempt with a proof.
    fileprivate func answer(now: Timestamp) -> Question.Answer {
        let later = until ?? now
        return switch outcome {
        case .found: .found(transactions, unreadable: unreadable)
        case .contradicted: .contradicted
        case .unknown: .unknown
        case .tooLarge: .tooLarge
        case .refused: .refused(failure ?? .unverified)
        case .doubted: .doubted(again: later)
        case .unavailable: .unavailable(until: later)
        case .unauthorized: .unauthorized(until: later)
        }
    }
}
