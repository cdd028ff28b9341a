import AppStore
import Contracts
import Delivery
import Domain
import ReceiptsCore

/// Asks Apple what it knows beyond what it was told to tell: a page at a time, so that a process that dies between two
/// goes on from there.
struct HistoryInquiry: Sendable {
    let access: AppleAccess
    let transactions: TransactionVerifier
    let notifications: NotificationVerifier
    /// The servers on which the apps' purchases may be, by app.
    let servers: [BundleID: [AppleServer]]

    /// A page of a customer's transactions.
    func history(_ errand: Errand, _ question: HistoryQuestion) async -> ErrandReport {
        await asking(errand) { client throws(AppStoreServerError) in
            let request = GetTransactionHistory(question)
            let answer = try await client.send(request, to: question.environment.server)
            var report = try genuine(answer, errand)
            report.next = try request.next(after: answer)?.revision
            return report
        }
    }

    /// Those of a receipt's transactions that Apple took back; all of them in one round, as there are few.
    func confirmation(_ errand: Errand, _ identifiers: [TransactionID]) async -> ErrandReport {
        guard let first = identifiers.first else { return .found([]) }
        return await asking(errand) { client throws(AppStoreServerError) in
            var request = GetTransactionHistory(first)
            request.revoked = true
            let own = servers[errand.bundleID] ?? AppleServer.allCases
            let (answer, server) = try await client.find(request, on: own)
            var report = try genuine(answer, errand)
            if let next = try request.next(after: answer) {
                for page in try await client.pages(from: next, on: server) {
                    report.add(try genuine(page, errand))
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
    func lapse(_ errand: Errand, _ lapse: SubscriptionLapse) async -> ErrandReport {
        await asking(errand) { client throws(AppStoreServerError) in
            var request = GetTransactionHistory(lapse.transactionId)
            request.productTypes = [.autoRenewable]
            var report = ErrandReport.found([])
            for page in try await client.pages(from: request, on: lapse.environment.server) {
                report.add(try genuine(page, errand))
            }
            return report
        }
    }

    /// A page of the notifications that Apple sent, or tried to send.
    func notifications(_ errand: Errand, _ span: NotificationSpan) async -> ErrandReport {
        guard span.span.from < span.span.to else { return .found([]) }
        return await asking(errand) { client throws(AppStoreServerError) in
            let request = GetNotificationHistory(span)
            let answer = try await client.send(request, to: span.environment.server)
            var report = ErrandReport.found([])
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

    // MARK: Operators

    /// What an operator wants to know.
    func answer(_ errand: Errand, _ ask: AppleAskV1) async -> ErrandReport {
        await asking(errand) { client throws(AppStoreServerError) in
            var report = ErrandReport(.found)
            report.answer = try await answer(ask, client)
            return report
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
            guard answer.isValid else {
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

    // MARK: Calls

    /// Runs `body` with the client of the errand's app and partition; every error has its meaning.
    private func asking(
        _ errand: Errand,
        _ body: (AppStoreServerClient) async throws(AppStoreServerError) -> ErrandReport
    ) async -> ErrandReport {
        do throws(AppStoreServerError) {
            guard let client = try access.client(for: errand) else { return .refused(.unverified) }
            return try await body(client)
        } catch {
            return access.report(error, errand)
        }
    }

    /// Those of a page that Apple signed; nothing of a page about another app than the configured one.
    private func genuine(
        _ page: GetTransactionHistory.Response,
        _ errand: Errand
    ) throws(AppStoreServerError) -> ErrandReport {
        // Apple has no number, or 0, for the sandbox.
        if let own = access.apps[errand.bundleID]?.appAppleId, let told = page.appAppleId, told != 0,
            told != own
        {
            throw .malformedResponse("it is about app \(told), and appAppleId is \(own)")
        }
        var report = ErrandReport.found([])
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

extension ErrandReport {
    /// Adds what another page holds.
    fileprivate mutating func add(_ page: ErrandReport) {
        transactions += page.transactions
        unreadable += page.unreadable
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
    /// Pages that one errand reads at most; Apple's have 20 transactions.
    private static let mostPages = 250
    /// Longest that a page waits for its turn, in ms; its errand would have to begin anew.
    private static let longestTurn: Int64 = 30_000

    /// A page and those after it.
    func pages(
        from first: GetTransactionHistory,
        on server: AppleServer
    ) async throws(AppStoreServerError) -> [GetTransactionHistory.Response] {
        var pages: [GetTransactionHistory.Response] = []
        var request: GetTransactionHistory? = first
        while let page = request {
            guard pages.count < Self.mostPages else {
                throw .malformedResponse("there are more than \(Self.mostPages) pages")
            }
            let answer = try await send(page, to: server, waitingForRate: Self.longestTurn)
            pages.append(answer)
            request = try page.next(after: answer)
        }
        return pages
    }
}

extension GetTransactionHistory {
    fileprivate init(_ question: HistoryQuestion) {
        self.init(question.transactionId)
        startDate = question.since
        revision = question.page
    }

    fileprivate init?(_ ask: AppleAskV1) {
        guard let transactionId = ask.transactionId else { return nil }
        self.init(transactionId)
        startDate = ask.since
        revision = ask.page
    }
}

extension GetNotificationHistory {
    fileprivate init(_ span: NotificationSpan) {
        self.init(from: span.span.from, to: span.span.to)
        onlyFailures = span.span.onlyFailures ? true : nil
        paginationToken = span.span.page
    }

    fileprivate init?(_ ask: AppleAskV1) {
        guard let since = ask.since, let until = ask.until else { return nil }
        self.init(from: since, to: until)
        paginationToken = ask.page
    }
}
