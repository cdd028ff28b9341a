import AppStore
import Contracts
import Delivery
import Domain
import ReceiptsCore

/// Asks Apple for what it was not told to send: a page at a time, so that a process that dies goes on from there.
struct HistoryClient: Sendable {
    let access: AppleAccess
    let transactions: TransactionVerifier
    let notifications: NotificationVerifier
    /// The servers on which an app's purchases may be.
    let servers: [BundleID: [AppleServer]]

    /// A page of a customer's transactions.
    func transactions(_ query: HistoryQuery, _ job: AppleJob) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            let request = GetTransactionHistory(query)
            let answer = try await client.send(request, to: query.environment.server)
            var result = try verified(answer, job)
            result.next = try request.next(after: answer)?.revision
            return result
        }
    }

    /// Those of a receipt's transactions that were revoked: all pages, as there are few.
    func confirm(_ identifiers: [TransactionID], _ job: AppleJob) async -> AppleJobResult {
        guard let first = identifiers.first else { return .found([]) }
        return await access.run(job) { client throws(AppStoreServerError) in
            var request = GetTransactionHistory(first)
            request.revoked = true
            let own = servers[job.queue.bundleID] ?? AppleServer.allCases
            let (answer, server) = try await client.find(request, on: own)
            var result = try verified(answer, job)
            if let next = try request.next(after: answer) {
                try result.add(await client.pages(from: next, on: server), job, verified)
            }
            let known = Set(identifiers.map(\.rawValue))
            result.transactions.removeAll { found in
                !known.contains(found.transactionId) && !known.contains(PurchaseID(of: found)?.rawValue ?? "")
            }
            return result
        }
    }

    /// All periods of a subscription.
    func periods(_ check: RenewalCheck, _ job: AppleJob) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            var request = GetTransactionHistory(check.transactionId)
            request.productTypes = [.autoRenewable]
            var result = AppleJobResult.found([])
            try result.add(await client.pages(from: request, on: check.environment.server), job, verified)
            return result
        }
    }

    /// The transactions of a page that Apple signed; none of a page about another app than the configured one.
    private func verified(
        _ page: GetTransactionHistory.Answer,
        _ job: AppleJob
    ) throws(AppStoreServerError) -> AppleJobResult {
        // Apple has no number, or 0, for the sandbox.
        if let own = access.apps[job.queue.bundleID]?.appAppleId, let found = page.appAppleId, found != 0,
            found != own
        {
            throw .malformedAnswer("it is about app \(found), and appAppleId is \(own)")
        }
        let signed = page.signedTransactions
        let found = signed.compactMap { transactions.transaction(in: $0, now: access.clock.now()) }
        return .found(found, unreadable: signed.count - found.count)
    }

    // MARK: Notifications

    /// A page of the notifications that Apple sent, or tried to send.
    func notifications(
        _ environment: Environment,
        _ span: HistoryCursor.Span,
        _ job: AppleJob
    ) async -> AppleJobResult {
        guard span.from < span.to else { return .found([]) }
        return await access.run(job) { client throws(AppStoreServerError) in
            let request = GetNotificationHistory(span)
            let answer = try await client.send(request, to: environment.server)
            var result = AppleJobResult.found([])
            result.notifications = answer.notificationHistory.compactMap { recovered($0.signedPayload) }
            result.unreadable = answer.notificationHistory.count - result.notifications.count
            result.next = try request.next(after: answer)?.paginationToken
            return result
        }
    }

    /// A notification for the partition that stores it; nil if it is not Apple's.
    ///
    /// What is Apple's and cannot be read, or trusted, here goes on, too: it is stored for an operator.
    private func recovered(_ payload: String) -> NotificationRecoveredV1? {
        do throws(VerificationFailure) {
            let notification = try notifications.verify(payload, now: access.clock.now())
            return NotificationRecoveredV1(
                identifier: notification.notificationUUID,
                signedPayload: payload
            )
        } catch {
            switch error.reason {
            case .badSignature where error.item == nil, .malformed where error.item == nil: return nil
            case .malformed, .tooLarge, .untrusted, .expiredCertificate, .badSignature, .wrongApp,
                .wrongEnvironment, .unsigned, .unreadable:
                return NotificationRecoveredV1(
                    identifier: NotificationIdentifier.digest(of: payload),
                    signedPayload: payload
                )
            }
        }
    }

    // MARK: Operators

    /// What an operator asks.
    func answer(_ request: AppleAskV1, _ job: AppleJob) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            var result = AppleJobResult(.found)
            result.answer = try await answer(request, client)
            return result
        }
    }

    private func answer(
        _ ask: AppleAskV1,
        _ client: AppStoreServerClient
    ) async throws(AppStoreServerError) -> AppleAnswerV1 {
        let server = ask.environment.server
        switch ask.question {
        case .history:
            guard let request = GetTransactionHistory(ask) else { return .incomplete }
            let answer = try await client.send(request, to: server)
            return AppleAnswerV1(
                findings: answer.signedTransactions.map { finding(transaction: $0) },
                next: try request.next(after: answer)?.revision
            )
        case .notifications:
            guard let request = GetNotificationHistory(ask) else { return .incomplete }
            let answer = try await client.send(request, to: server)
            return AppleAnswerV1(
                findings: answer.notificationHistory.map { finding(notification: $0.signedPayload) },
                next: try request.next(after: answer)?.paginationToken
            )
        case .order:
            guard let order = ask.appleOrderId else { return .incomplete }
            let answer = try await client.send(LookUpOrderID(order), to: server)
            guard answer.status == .valid else {
                return AppleAnswerV1(problem: "Apple knows no order \(order) of this app")
            }
            return AppleAnswerV1(
                findings: (answer.signedTransactions ?? []).map { finding(transaction: $0) }
            )
        }
    }

    private func finding(transaction jws: String) -> AppleAnswerV1.Finding {
        var finding = AppleAnswerV1.Finding()
        finding.signedTransaction = jws
        do throws(VerificationFailure) {
            let signed = try transactions.verify(jws, now: access.clock.now()).transaction
            finding.transaction = TransactionFacts(signed)
            if finding.transaction == nil { finding.problem = ProofFailure.unreadable.rawValue }
        } catch {
            finding.problem = error.reason.rawValue
        }
        return finding
    }

    private func finding(notification jws: String) -> AppleAnswerV1.Finding {
        var finding = AppleAnswerV1.Finding()
        finding.signedPayload = jws
        do throws(VerificationFailure) {
            let notification = try notifications.verify(jws, now: access.clock.now())
            finding.notificationUUID = notification.notificationUUID
            finding.notificationType = notification.type
            finding.subtype = notification.subtype
            finding.signedTransaction = notification.payload.data?.signedTransactionInfo
            finding.transaction = (notification.transaction?.transaction).flatMap(TransactionFacts.init(_:))
        } catch {
            finding.problem = error.reason.rawValue
        }
        return finding
    }
}

extension AppleJobResult {
    /// Adds what further pages hold.
    fileprivate mutating func add(
        _ pages: [GetTransactionHistory.Answer],
        _ job: AppleJob,
        _ verified: (GetTransactionHistory.Answer, AppleJob) throws(AppStoreServerError) -> AppleJobResult
    ) throws(AppStoreServerError) {
        for page in pages {
            let found = try verified(page, job)
            transactions += found.transactions
            unreadable += found.unreadable
        }
    }
}

extension AppleAnswerV1 {
    fileprivate static let incomplete = AppleAnswerV1(problem: "the question lacks what it asks about")
}

extension Environment {
    /// The server that knows the environment's purchases.
    var server: AppleServer { self == .sandbox ? .sandbox : .production }
}

extension AppStoreServerClient {
    /// Pages that one job reads at most; Apple's have 20 transactions.
    private static let maximumPages = 250
    /// Longest that a page waits for its turn, in ms; its job would have to begin anew.
    private static let longestTurn: Int64 = 30_000

    /// A page and those after it.
    func pages(
        from first: GetTransactionHistory,
        on server: AppleServer
    ) async throws(AppStoreServerError) -> [GetTransactionHistory.Answer] {
        var pages: [GetTransactionHistory.Answer] = []
        var request: GetTransactionHistory? = first
        while let page = request {
            guard pages.count < Self.maximumPages else {
                throw .malformedAnswer("there are more than \(Self.maximumPages) pages")
            }
            let answer = try await sendInTurn(page, to: server, within: Self.longestTurn)
            pages.append(answer)
            request = try page.next(after: answer)
        }
        return pages
    }
}

extension GetTransactionHistory {
    fileprivate init(_ query: HistoryQuery) {
        self.init(query.transactionId)
        startDate = query.since
        revision = query.page
    }

    fileprivate init?(_ ask: AppleAskV1) {
        guard let transactionId = ask.transactionId else { return nil }
        self.init(transactionId)
        startDate = ask.since
        revision = ask.page
    }
}

extension GetNotificationHistory {
    fileprivate init(_ span: HistoryCursor.Span) {
        self.init(from: span.from, to: span.to)
        onlyFailures = span.onlyFailures ? true : nil
        paginationToken = span.page
    }

    fileprivate init?(_ ask: AppleAskV1) {
        guard let since = ask.since, let until = ask.until else { return nil }
        self.init(from: since, to: until)
        paginationToken = ask.page
    }
}
