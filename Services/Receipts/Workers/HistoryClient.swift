import AppStore
import Contracts
import Delivery
import Domain
import ReceiptsCore

/// Asks Apple what it knows beyond what it was told to tell: a page at a time, so that a process that dies between two
/// goes on from there.
struct HistoryClient: Sendable {
    let access: AppleAccess
    let transactions: TransactionVerifier
    let notifications: NotificationVerifier
    /// The servers on which the apps' purchases may be, by app.
    let servers: [BundleID: [AppleServer]]

    /// A page of a customer's transactions.
    func history(_ job: AppleJob, _ query: HistoryQuery) async -> AppleJobResult {
        await asking(job) { client throws(AppStoreServerError) in
            let request = GetTransactionHistory(query)
            let answer = try await client.send(request, to: query.environment.server)
            var report = try genuine(answer, job)
            report.next = try request.next(after: answer)?.revision
            return report
        }
    }

    /// Those of a receipt's transactions that Apple took back; all of them in one round, as there are few.
    func confirmation(_ job: AppleJob, _ identifiers: [TransactionID]) async -> AppleJobResult {
        guard let first = identifiers.first else { return .found([]) }
        return await asking(job) { client throws(AppStoreServerError) in
            var request = GetTransactionHistory(first)
            request.revoked = true
            let own = servers[job.bundleID] ?? AppleServer.allCases
            let (answer, server) = try await client.find(request, on: own)
            var report = try genuine(answer, job)
            if let next = try request.next(after: answer) {
                for page in try await client.pages(from: next, on: server) {
                    report.add(try genuine(page, job))
                }
            }
            let known = Set(identifiers.map(\.rawValue))
            report.transactions.removeAll { found in
                !known.contains(found.transactionId) && !known.contains(PurchaseID(of: found)?.rawValue ?? "")
            }
            return report
        }
    }

    /// Whether a subscription that has come to its end went on.
    func renewalCheck(_ job: AppleJob, _ renewalCheck: RenewalCheck) async -> AppleJobResult {
        await asking(job) { client throws(AppStoreServerError) in
            var request = GetTransactionHistory(renewalCheck.transactionId)
            request.productTypes = [.autoRenewable]
            var report = AppleJobResult.found([])
            for page in try await client.pages(from: request, on: renewalCheck.environment.server) {
                report.add(try genuine(page, job))
            }
            return report
        }
    }

    /// A page of the notifications that Apple sent, or tried to send.
    func notifications(_ job: AppleJob, _ span: NotificationSpan) async -> AppleJobResult {
        guard span.span.from < span.span.to else { return .found([]) }
        return await asking(job) { client throws(AppStoreServerError) in
            let request = GetNotificationHistory(span)
            let answer = try await client.send(request, to: span.environment.server)
            var report = AppleJobResult.found([])
            for item in answer.notificationHistory {
                if let known = recovered(item.signedPayload) {
                    report.notifications.append(known)
                } else {
                    report.unreadable += 1
                }
            }
            report.next = try request.next(after: answer)?.paginationToken
            return report
        }
    }

    /// A notification for the partition that keeps it; nil if it is not Apple's.
    ///
    /// What is Apple's and cannot be read, or trusted, here goes on, too: it is kept for an operator.
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

    // MARK: Reconciliation

    /// A page for a reconciliation.
    func reconciliation(_ job: AppleJob, _ lookup: Reconciliation.Lookup) async -> AppleJobResult {
        await asking(job) { client throws(AppStoreServerError) in
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
                guard answer.status == .valid else {
                    let trouble = "Apple knows no order \(order) of this app"
                    return AppleJobResult(.contradicted, trouble: trouble)
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

    // MARK: Calls

    /// Runs `body` with the client of the job's app and partition; every error has its meaning.
    private func asking(
        _ job: AppleJob,
        _ body: (AppStoreServerClient) async throws(AppStoreServerError) -> AppleJobResult
    ) async -> AppleJobResult {
        do throws(AppStoreServerError) {
            guard let client = try access.client(for: job) else { return .refused(.unverified) }
            return try await body(client)
        } catch {
            return access.report(error, job)
        }
    }

    /// Those of a page that Apple signed; nothing of a page about another app than the configured one.
    private func genuine(
        _ page: GetTransactionHistory.Answer,
        _ job: AppleJob
    ) throws(AppStoreServerError) -> AppleJobResult {
        // Apple has no number, or 0, for the sandbox.
        if let own = access.apps[job.bundleID]?.appAppleId, let told = page.appAppleId, told != 0,
            told != own
        {
            throw .malformedAnswer("it is about app \(told), and appAppleId is \(own)")
        }
        var report = AppleJobResult.found([])
        for jws in page.signedTransactions {
            do throws(VerificationFailure) {
                report.transactions.append(try transactions.verify(jws, now: access.clock.now()).transaction)
            } catch {
                report.unreadable += 1
            }
        }
        return report
    }
}

extension AppleJobResult {
    /// Adds what another page holds.
    fileprivate mutating func add(_ page: AppleJobResult) {
        transactions += page.transactions
        unreadable += page.unreadable
    }
}

extension Environment {
    /// The server that knows the environment's purchases.
    var server: AppleServer { self == .sandbox ? .sandbox : .production }
}

extension AppStoreServerClient {
    /// Pages that one job reads at most; Apple's have 20 transactions.
    private static let mostPages = 250
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
            guard pages.count < Self.mostPages else {
                throw .malformedAnswer("there are more than \(Self.mostPages) pages")
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
}

extension GetNotificationHistory {
    fileprivate init(_ span: NotificationSpan) {
        self.init(from: span.span.from, to: span.span.to)
        onlyFailures = span.span.onlyFailures ? true : nil
        paginationToken = span.span.page
    }
}
