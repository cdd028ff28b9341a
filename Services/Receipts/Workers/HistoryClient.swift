import AppStore
import Contracts
import Delivery
import Domain
import ReceiptsCore

/// Asks Apple for history, a page at a time, so that a restarted process continues there.
struct HistoryClient: Sendable {
    let access: AppleAccess
    let transactions: TransactionVerifier
    let notifications: NotificationVerifier
    let servers: [BundleID: [AppleServer]]

    func transactions(_ query: HistoryQuery, _ job: AppleJob) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            let request = GetTransactionHistory(query)
            let answer = try await client.send(request, to: query.environment.server)
            var result = try verified(answer, job)
            result.next = try request.next(after: answer)?.revision
            return result
        }
    }

    /// The revoked transactions of a receipt: all pages, as there are few.
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

    func periods(_ check: RenewalCheck, _ job: AppleJob) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            var request = GetTransactionHistory(check.transactionId)
            request.productTypes = [.autoRenewable]
            var result = AppleJobResult.found([])
            try result.add(await client.pages(from: request, on: check.environment.server), job, verified)
            return result
        }
    }

    /// The transactions of a page that Apple signed; empty if the page is about another app.
    private func verified(
        _ page: GetTransactionHistory.Response,
        _ job: AppleJob
    ) throws(AppStoreServerError) -> AppleJobResult {
        // Apple sends no number, or 0, for the sandbox.
        if let own = access.apps[job.queue.bundleID]?.appAppleId, let found = page.appAppleId, found != 0,
            found != own
        {
            throw .malformedResponse("it is about app \(found), and appAppleId is \(own)")
        }
        let signed = page.signedTransactions
        let found = signed.compactMap { transactions.transaction(in: $0, now: access.clock.now()) }
        return .found(found, unreadable: signed.count - found.count)
    }

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

    /// A notification for its partition; nil if it is not Apple's.
    ///
    /// Apple's notifications that are unreadable or untrusted here go on, too: they are stored for an operator.
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
            case .notifications(let since, let until):
                var request = GetNotificationHistory(from: since, to: until)
                request.paginationToken = lookup.page
                let answer = try await client.send(request, to: server)
                result.findings = answer.notificationHistory.map { finding(notification: $0.signedPayload) }
                result.next = try request.next(after: answer)?.paginationToken
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
            let signed = try transactions.verify(jws, now: access.clock.now()).transaction
            finding.transaction = signed
            if TransactionFacts(signed) == nil { finding.problem = ProofFailure.unreadable.rawValue }
        } catch {
            finding.problem = error.reason.rawValue
        }
        return finding
    }

    private func finding(notification jws: String) -> AppleFinding {
        var finding = AppleFinding()
        finding.signedPayload = jws
        do throws(VerificationFailure) {
            let notification = try notifications.verify(jws, now: access.clock.now())
            finding.notificationUUID = notification.notificationUUID
            finding.transaction = notification.transaction?.transaction
        } catch {
            finding.problem = error.reason.rawValue
        }
        return finding
    }
}

extension AppleJobResult {
    fileprivate mutating func add(
        _ pages: [GetTransactionHistory.Response],
        _ job: AppleJob,
        _ verified: (GetTransactionHistory.Response, AppleJob) throws(AppStoreServerError) -> AppleJobResult
    ) throws(AppStoreServerError) {
        for page in pages {
            let found = try verified(page, job)
            transactions += found.transactions
            unreadable += found.unreadable
        }
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
        from first: GetTransactionHistory,
        on server: AppleServer
    ) async throws(AppStoreServerError) -> [GetTransactionHistory.Response] {
        var pages: [GetTransactionHistory.Response] = []
        var request: GetTransactionHistory? = first
        while let page = request {
            guard pages.count < Self.maximumPages else {
                throw .malformedResponse("there are more than \(Self.maximumPages) pages")
            }
            let answer = try await send(page, to: server, waitingForRate: Self.longestTurn)
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
}

extension GetNotificationHistory {
    fileprivate init(_ span: HistoryCursor.Span) {
        self.init(from: span.from, to: span.to)
        onlyFailures = span.onlyFailures ? true : nil
        paginationToken = span.page
    }
}
