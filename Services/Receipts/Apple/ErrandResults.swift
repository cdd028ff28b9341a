import AppStore
import Contracts
import Database
import Delivery
import ReceiptsCore

/// Writes what came of an errand, and sets on its way whatever was found.
struct ErrandResults: Sendable {
    let submissions: SubmissionRoad
    let notifications: NotificationRoad

    func take(_ report: ErrandReport, of errand: Errand, in transaction: inout Transaction) throws {
        switch errand.matter {
        case .notifications(let span): try take(report, span, errand, in: &transaction)
        case .lapse(let lapse): try take(report, lapse, errand, in: &transaction)
        case .proof, .confirmation, .history, .operator:
            let store = QuestionStore(connection: transaction.connection)
            // Asked anew meanwhile, it is answered by the next attempt.
            guard let row = try store.row(errand.id), row.askedAt == errand.askedAt else { return }
            try take(report, row, in: &transaction)
        }
    }

    private func take(
        _ report: ErrandReport,
        _ row: QuestionRow,
        in transaction: inout Transaction
    ) throws {
        switch row.subject {
        case .proof(let receipt):
            guard let record = try SubmissionStore(connection: transaction.connection).record(receipt) else {
                return try drop(row, in: &transaction)
            }
            try judge(report, row, record, in: &transaction)
        case .confirmation(let receipt, _): try confirm(report, row, receipt, in: &transaction)
        case .history(let question): try note(report, row, question, in: &transaction)
        case .operator: try answer(report, row, in: &transaction)
        }
    }

    // MARK: Proofs

    private func judge(
        _ report: ErrandReport,
        _ row: QuestionRow,
        _ record: SubmissionRecord,
        in transaction: inout Transaction
    ) throws {
        var row = row
        let authority = row.question.authority
        let directives = row.question.apply(
            report.answer(now: transaction.now),
            now: transaction.now,
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
                try settle(record, findings: findings, by: authority, in: &transaction)
                try drop(row, in: &transaction)
            case .fail(let failure):
                try settle(record, failure: failure, by: authority, in: &transaction)
                try drop(row, in: &transaction)
            case .ask(let moment): try askAgain(row, report, at: moment, in: &transaction)
            case .callOperator: try alarm(report, row, in: &transaction)
            }
        }
    }

    private func settle(
        _ record: SubmissionRecord,
        findings: ProofContents? = nil,
        failure: ProofFailure? = nil,
        by authority: Authority,
        in transaction: inout Transaction
    ) throws {
        let store = SubmissionStore(connection: transaction.connection)
        var record = record
        record.findings = findings
        if let findings { try store.keep(findings, of: record.receiptID) }
        let reading =
            failure.map(SubmissionReading.init(_:)) ?? submissions.read(record, now: transaction.now)
        try store.judge(record.receiptID, reading, now: transaction.now)
        transaction.keep(
            Trace.Entry(
                time: transaction.now,
                type: "apple.\(authority.rawValue).\(reading.reason ?? "answered")",
                id: record.receiptID.rawValue
            ),
            of: record.receiptID.rawValue
        )
        try submissions.send(reading, of: record, in: &transaction)
    }

    // MARK: What may have been missed

    /// Sends what Apple took back, or what the receipt did not hold, to its claim.
    private func confirm(
        _ report: ErrandReport,
        _ row: QuestionRow,
        _ receipt: ReceiptID,
        in transaction: inout Transaction
    ) throws {
        switch report.outcome {
        case .unavailable, .unauthorized: return try postpone(row, report, in: &transaction)
        case .found, .contradicted, .unknown, .tooLarge, .refused, .doubted: break
        }
        let store = SubmissionStore(connection: transaction.connection)
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
                try transaction.sendToClaim(item.signed, item.facts, for: submission)
            }
        }
        try drop(row, in: &transaction)
    }

    /// Sends a page of a customer's transactions to their claims, and asks for the next one.
    private func note(
        _ report: ErrandReport,
        _ row: QuestionRow,
        _ question: HistoryQuestion,
        in transaction: inout Transaction
    ) throws {
        var next: (page: String?, at: Timestamp)?
        switch report.outcome {
        case .unavailable, .unauthorized: return try postpone(row, report, in: &transaction)
        case .unknown where question.page != nil:
            // Apple does not know the place of the page any more: once more from the first.
            next = (nil, transaction.now.advanced(by: APIFailure.alarmPause))
        case .found: next = report.next.map { ($0, transaction.now) }
        case .contradicted, .unknown, .tooLarge, .refused, .doubted: break
        }
        try send(report.transactions, of: row.bundleID, in: &transaction)
        guard let next else { return try drop(row, in: &transaction) }
        var question = question
        question.page = next.page
        try askAgain(row.asking(.history(question)), report, at: next.at, in: &transaction)
    }

    private func take(
        _ report: ErrandReport,
        _ lapse: SubscriptionLapse,
        _ errand: Errand,
        in transaction: inout Transaction
    ) throws {
        let watches = SubscriptionWatches(connection: transaction.connection)
        let key = PurchaseKey(
            environment: lapse.environment,
            bundleID: errand.bundleID,
            purchaseID: lapse.purchaseId
        )
        var look: Timestamp?
        switch report.outcome {
        case .unavailable, .unauthorized:
            look = report.until ?? transaction.now.advanced(by: APIFailure.alarmPause)
        case .found, .contradicted, .unknown, .tooLarge, .refused, .doubted:
            let wentOn = SubscriptionWatch.wentOn(
                report.transactions,
                from: lapse.transactionId,
                until: lapse.expiresDate
            )
            if !wentOn {
                look = SubscriptionWatch.nextLook(ofPeriodUntil: lapse.expiresDate, now: transaction.now)
            }
        }
        try watches.set(look, key)
        if let look { transaction.scheduleWork(at: look) }
        try send(report.transactions, of: errand.bundleID, in: &transaction)
    }

    /// Hands a page of notifications to the partitions that know whether they came before.
    private func take(
        _ report: ErrandReport,
        _ span: NotificationSpan,
        _ errand: Errand,
        in transaction: inout Transaction
    ) throws {
        let store = NotificationReadingStore(connection: transaction.connection)
        let known = try store.reading(errand.bundleID, span.environment)
        var reading = known ?? NotificationReading(beginningAt: transaction.now)
        switch report.outcome {
        case .unavailable, .unauthorized:
            if reading.troubles == 0, report.outcome == .unauthorized {
                alarm(report, errand, in: &transaction)
            }
            reading.postpone(until: again(report, after: reading.troubles + 1, in: transaction))
        case .contradicted, .unknown, .tooLarge, .refused, .doubted:
            reading.startOver(at: again(report, after: reading.troubles + 1, in: transaction))
        case .found:
            guard reading.take(span.span, next: report.next, now: transaction.now) else { return }
            for notification in report.notifications { try send(notification, in: &transaction) }
            if report.unreadable > 0 {
                transaction.alarm(
                    "\(report.unreadable) notifications of \(errand.bundleID) in Apple's history are not Apple's by their "
                        + "signatures; they are left out"
                )
            }
        }
        try store.save(reading, errand.bundleID, span.environment)
        transaction.scheduleWork(at: reading.dueAt)
    }

    // MARK: Operators

    private func answer(
        _ report: ErrandReport,
        _ row: QuestionRow,
        in transaction: inout Transaction
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
        try QuestionStore(connection: transaction.connection).answer(row, with: [UInt8](bytes))
        transaction.wake(row.id)
    }
}

// MARK: Ways

extension ErrandResults {
    private func drop(_ row: QuestionRow, in transaction: inout Transaction) throws {
        try QuestionStore(connection: transaction.connection).remove(row)
    }

    /// Keeps the question for its next attempt.
    private func askAgain(
        _ row: QuestionRow,
        _ report: ErrandReport,
        at moment: Timestamp,
        in transaction: inout Transaction
    ) throws {
        var row = row
        let isTrouble = report.outcome == .unavailable || report.outcome == .unauthorized
        row.troubles = isTrouble ? row.troubles + 1 : 0
        row.trouble = report.trouble
        row.dueAt = isTrouble ? again(report, after: row.troubles, in: transaction) : moment
        try QuestionStore(connection: transaction.connection).save(row)
        transaction.scheduleWork(at: row.dueAt)
    }

    private func postpone(
        _ row: QuestionRow,
        _ report: ErrandReport,
        in transaction: inout Transaction
    ) throws {
        if report.outcome == .unauthorized { try alarm(report, row, in: &transaction) }
        try askAgain(row, report, at: report.until ?? transaction.now, in: &transaction)
    }

    /// When to ask again after so many attempts without a word of Apple's: soon, as it may be back.
    private func again(
        _ report: ErrandReport,
        after troubles: Int,
        in transaction: Transaction
    ) -> Timestamp {
        let pause = VerifyReceiptClient.backoff.pause(after: troubles, random: transaction.newNumber())
        return max(transaction.now.advanced(by: pause), report.until ?? transaction.now)
    }

    /// Calls an operator, unless a question of the app has met with the same trouble.
    private func alarm(_ report: ErrandReport, _ row: QuestionRow, in transaction: inout Transaction) throws {
        let store = QuestionStore(connection: transaction.connection)
        guard let trouble = report.trouble, try !store.meets(trouble, row) else { return }
        transaction.alarm("asking Apple about \(row.bundleID): \(trouble)")
    }

    private func alarm(_ report: ErrandReport, _ errand: Errand, in transaction: inout Transaction) {
        transaction.alarm("asking Apple about \(errand.bundleID): \(report.trouble ?? "no word")")
    }

    /// Sends what nobody handed in to its claim, as far as the app takes it.
    private func send(
        _ transactions: [SignedTransaction],
        of bundleID: BundleID,
        in transaction: inout Transaction
    ) throws {
        guard let policy = submissions.policies[bundleID] else { return }
        for signed in transactions where policy.obstacle(signed) == nil {
            guard let facts = TransactionFacts(signed), facts.bundleId == bundleID else { continue }
            try transaction.sendToClaim(signed, facts)
        }
    }

    /// Notifications of more bytes do not travel on links and are kept where they were found.
    private static let longestOnLink = 60 << 10

    private func send(_ notification: NotificationRecoveredV1, in transaction: inout Transaction) throws {
        guard notification.signedPayload.utf8.count > Self.longestOnLink else {
            try transaction.send(
                notification,
                to: .receipts,
                shard: Shard(notification: notification.identifier),
                subject: "notification/\(notification.identifier)"
            )
            return
        }
        do {
            _ = try notifications.take(
                NotificationStore.Record(
                    identifier: notification.identifier,
                    signedPayload: notification.signedPayload,
                    requestID: transaction.newIdentifier()
                ),
                in: &transaction
            )
        } catch let failure as NoticeFailure {
            transaction.alarm("a notification of Apple's history was left out: \(failure)")
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
