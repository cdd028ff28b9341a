import AppStore
import Contracts
import Delivery
import Domain

/// Asks Apple for history, a page at a time, so that a restarted process continues there.
extension AppleWorker {
    func transactions(_ query: HistoryQuery, _ job: AppleJob) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            var request = GetTransactionHistory(query.transactionId)
            request.startDate = query.since
            request.revision = query.page
            let answer = try await client.send(request, to: query.environment.server)
            let next = try request.next(after: answer)?.revision
            var result = AppleJobResult.found(try verified([answer], job), next: next)
            if query.asksStatuses == true, next == nil {
                result.statuses = try await statuses(query.transactionId, query.environment, client, job)
            }
            return result
        }
    }

    /// The whole history to which the transactions of a receipt belong, asked once for all who hand the receipt in.
    ///
    /// Only the server of the environment that the receipt states is asked: no other one knows its purchases, and many
    /// receipts of the sandbox must not use up the calls of those who have paid.
    func evidence(
        of identifiers: [TransactionID],
        _ environment: Environment?,
        _ job: AppleJob
    ) async -> AppleJobResult {
        let tried = Array(identifiers.prefix(Self.maximumTried))
        let question = SharedAnswers.Question(
            queue: job.queue,
            partition: job.partition,
            environment: environment,
            identifiers: tried
        )
        return await access.answers.answer(question, dueAt: job.dueAt ?? job.askedAt) {
            await history(of: tried, environment, job)
        }
    }

    private func history(
        of identifiers: [TransactionID],
        _ environment: Environment?,
        _ job: AppleJob
    ) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            for id in identifiers {
                let request = GetTransactionHistory(id)
                do throws(AppStoreServerError) {
                    let (answer, server) = try await client.find(request, on: servers(of: job, environment))
                    let next = try request.next(after: answer)
                    guard let rest = try await client.allPages(from: next, on: server) else {
                        return AppleJobResult(.tooLarge)
                    }
                    return .found(try verified([answer] + rest, job))
                } catch .notFound {
                    continue
                }
            }
            return AppleJobResult(identifiers.isEmpty ? .found : .unknown)
        }
    }

    /// One transaction whose claim waits.
    func evidence(
        of transaction: TransactionID,
        _ environment: Environment,
        _ job: AppleJob
    ) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            let answer = try await client.send(GetTransactionInfo(transaction), to: environment.server)
            guard let found = genuine(in: answer.signedTransactionInfo) else {
                return .misunderstood("what Apple answers is not signed by Apple", access.clock.now())
            }
            return .found(ProofContents(transactions: [found]))
        }
    }

    func periods(_ check: RenewalCheck, _ job: AppleJob) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            var request = GetTransactionHistory(check.transactionId)
            request.productTypes = [.autoRenewable]
            let pages = try await client.pages(from: request, on: check.environment.server)
            var result = AppleJobResult.found(try verified(pages, job))
            result.statuses = try await statuses(check.transactionId, check.environment, client, job)
            return result
        }
    }

    /// How the customer's subscriptions stand: only so a grace period is known whose notification was lost.
    private func statuses(
        _ transaction: TransactionID,
        _ environment: Environment,
        _ client: AppStoreServerClient,
        _ job: AppleJob
    ) async throws(AppStoreServerError) -> [FoundStatus] {
        let answer: GetAllSubscriptionStatuses.Response
        do throws(AppStoreServerError) {
            answer = try await client.send(GetAllSubscriptionStatuses(transaction), to: environment.server)
        } catch .notFound {
            return []
        } catch {
            throw error
        }
        try check([answer.appAppleId], job)
        return answer.data.flatMap(\.lastTransactions).compactMap { item in
            genuine(in: item.signedTransactionInfo).map { found in
                let renewal = item.signedRenewalInfo.flatMap {
                    verifiers.transactions.renewal(in: $0, of: found, now: access.clock.now())
                }
                return FoundStatus(transaction: found, renewal: renewal)
            }
        }
    }

    /// The transactions of the pages that Apple signed; a page about another app is an error.
    private func verified(
        _ pages: [GetTransactionHistory.Response],
        _ job: AppleJob
    ) throws(AppStoreServerError) -> ProofContents {
        try check(pages.map(\.appAppleId), job)
        let signed = pages.flatMap(\.signedTransactions)
        let found = signed.compactMap { genuine(in: $0) }
        return ProofContents(transactions: found, unreadable: signed.count - found.count)
    }

    /// Refuses an answer about another app; Apple sends no number, or 0, for the sandbox.
    private func check(_ numbers: [Int64?], _ job: AppleJob) throws(AppStoreServerError) {
        if let own = access.apps[job.queue.bundleID]?.appAppleId,
            let found = numbers.compactMap(\.self).first(where: { $0 != 0 && $0 != own })
        {
            throw .malformedResponse("it is about app \(found), and appAppleId is \(own)")
        }
    }

    func serverNotifications(
        _ environment: Environment,
        _ span: HistoryCursor.Span,
        _ job: AppleJob
    ) async -> AppleJobResult {
        guard span.from < span.to else { return .found() }
        return await access.run(job) { client throws(AppStoreServerError) in
            var request = GetNotificationHistory(from: span.from, to: span.to)
            request.onlyFailures = span.onlyFailures ? true : nil
            request.paginationToken = span.page
            return try await page(request, client, environment.server)
        }
    }

    private func page(
        _ request: GetNotificationHistory,
        _ client: AppStoreServerClient,
        _ server: AppleServer
    ) async throws(AppStoreServerError) -> AppleJobResult {
        let answer = try await client.send(request, to: server)
        var result = AppleJobResult(.found)
        result.findings = answer.notificationHistory.map { finding(notification: $0.signedPayload) }
        result.next = try request.next(after: answer)?.paginationToken
        return result
    }

    func findings(_ lookup: Reconciliation.Lookup, _ job: AppleJob) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            let server = lookup.step.environment.server
            var result = AppleJobResult(.found)
            switch lookup.step.subject {
            case .history(let transactions, let since):
                guard let transaction = transactions.first else { return result }
                var request = GetTransactionHistory(transaction)
                (request.startDate, request.revision) = (since, lookup.page)
                let answer = try await client.send(request, to: server)
                result.findings = answer.signedTransactions.map { finding(transaction: $0) }
                result.next = try request.next(after: answer)?.revision
            case .serverNotifications(let since, let until):
                var request = GetNotificationHistory(from: since, to: until)
                request.paginationToken = lookup.page
                return try await page(request, client, server)
            case .order(let order):
                let answer = try await client.send(LookUpOrderID(order), to: server)
                guard answer.isValid else {
                    let problem = "Apple knows no order \(order) of this app"
                    return AppleJobResult(.contradicted, problem: problem)
                }
                result.findings = (answer.signedTransactions ?? []).map { finding(transaction: $0) }
            }
            return result
        }
    }

    private func finding(transaction jws: String) -> AppleFinding {
        var finding = AppleFinding()
        do throws(VerificationFailure) {
            finding.transaction = try verifiers.transactions.verify(jws, now: access.clock.now())
        } catch {
            finding.problem = error.reason.rawValue
        }
        return finding
    }

    private func finding(notification jws: String) -> AppleFinding {
        var finding = AppleFinding()
        finding.signedPayload = jws
        do throws(VerificationFailure) {
            let notification = try verifiers.notifications.verify(jws, now: access.clock.now())
            finding.notificationUUID = notification.notificationUUID
            finding.transaction = notification.transaction
        } catch {
            finding.problem = error.reason.rawValue
            finding.isInside = error.item != nil
        }
        return finding
    }
}

extension Environment {
    var server: AppleServer { self == .sandbox ? .sandbox : .production }
}

extension AppStoreServerClient {
    /// Most pages per job; Apple's have 20 transactions.
    private static let maximumPages = 250
    /// Longest wait for a page's turn, ms; its job would have to begin anew.
    private static let longestTurn: Int64 = 30_000

    func pages(
        from first: GetTransactionHistory?,
        on server: AppleServer
    ) async throws(AppStoreServerError) -> [GetTransactionHistory.Response] {
        guard let pages = try await allPages(from: first, on: server) else {
            throw .malformedResponse("there are more than \(Self.maximumPages) pages")
        }
        return pages
    }

    /// Nil if there are too many.
    func allPages(
        from first: GetTransactionHistory?,
        on server: AppleServer
    ) async throws(AppStoreServerError) -> [GetTransactionHistory.Response]? {
        var pages: [GetTransactionHistory.Response] = []
        var request = first
        while let page = request {
            guard pages.count < Self.maximumPages else { return nil }
            let answer = try await send(page, to: server, waitingForRate: Self.longestTurn)
            pages.append(answer)
            request = try page.next(after: answer)
        }
        return pages
    }
}
