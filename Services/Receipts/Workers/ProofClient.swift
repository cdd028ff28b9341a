import AppStore
import Contracts
import ReceiptsCore

/// Asks Apple what a proof is worth.
struct ProofClient: Sendable {
    let access: AppleAccess
    let transactions: TransactionVerifier
    /// The servers on which the apps' purchases may be, by app.
    let servers: [BundleID: [AppleServer]]

    func report(_ job: AppleJob, about proof: ProofPart) async -> AppleJobResult {
        switch job.api {
        case .serverAPI: await ask(job, about: proof)
        case .verifyReceipt: await verify(job, proof)
        }
    }

    // MARK: The App Store Server API

    private func ask(_ job: AppleJob, about proof: ProofPart) async -> AppleJobResult {
        let stated = UnverifiedPurchases(proof)
        do throws(AppStoreServerError) {
            guard let client = try access.client(for: job) else { return .refused(.unverified) }
            guard let (first, server) = try await first(of: stated.identifiers, job, client) else {
                return AppleJobResult(stated.identifiers.isEmpty ? .contradicted : .unknown)
            }
            var known = genuine([first.signedTransactionInfo])
            if stated.identifiers.count > 1 {
                known += try await client.pages(
                    from: GetTransactionHistory(stated.identifiers[0]),
                    on: server
                )
                .reduce(into: []) { $0 += genuine($1.signedTransactions) }
            }
            guard let found = stated.findings(known), !found.transactions.isEmpty else {
                return known.isEmpty
                    ? AppleJobResult(
                        .unauthorized,
                        until: access.clock.now().advanced(by: APIFailure.alarmPause),
                        trouble: "what Apple answers is not signed by Apple"
                    ) : AppleJobResult(.contradicted)
            }
            return .found(found.transactions, unreadable: found.unreadable)
        } catch {
            return access.report(error, job)
        }
    }

    /// The first of a few transactions that Apple knows, and where; nil if it knows none of them.
    private func first(
        of identifiers: [TransactionID],
        _ job: AppleJob,
        _ client: AppStoreServerClient
    ) async throws(AppStoreServerError) -> (GetTransactionInfo.Answer, AppleServer)? {
        for id in identifiers.prefix(Self.mostTried) {
            do throws(AppStoreServerError) {
                return try await client.find(
                    GetTransactionInfo(id),
                    on: servers[job.bundleID] ?? AppleServer.allCases
                )
            } catch .notFound {
                continue
            }
        }
        return nil
    }

    /// Ids of a receipt that Apple is asked about before it counts as unknown.
    private static let mostTried = 3

    /// Those that Apple signed; what it did not sign is no answer.
    private func genuine(_ signed: [String]) -> [SignedTransaction] {
        signed.compactMap { jws in
            do throws(VerificationFailure) {
                return try transactions.verify(jws, now: access.clock.now()).transaction
            } catch {
                return nil
            }
        }
    }

    // MARK: verifyReceipt

    private func verify(_ job: AppleJob, _ proof: ProofPart) async -> AppleJobResult {
        guard let (client, secret) = access.verifyReceipt(of: job.bundleID) else {
            return .refused(.unverified)
        }
        guard let bytes = ReceiptText.bytes(ofBase64: proof.text) else { return .refused(.malformed) }
        let request = VerifyReceiptRequest(receipt: Base64Text.of(bytes), secret: secret)
        let earlier = VerifyReceiptAttempts(
            count: job.attempts + job.troubles,
            refusals: job.refusals
        )
        let finding = await client.verify(request, after: earlier)
        let now = access.clock.now()
        let again = finding.again ?? now.advanced(by: VerifyReceiptClient.backoff.longestPause)
        switch finding.decision {
        case .valid, .notEntitled: return Self.found(finding, now)
        case .retry(let trouble) where finding.decision.isRefusal:
            return AppleJobResult(.doubted, until: again, trouble: trouble.summary)
        case .retry(let trouble):
            if trouble.isOfTheServer { access.pause(job.queue, of: job.partition, until: again) }
            return AppleJobResult(.unavailable, until: again, trouble: trouble.summary)
        case .ask:
            return AppleJobResult(.unavailable, until: again, trouble: "Apple points from server to server")
        // Without the shared secret Apple may say so of a genuine receipt.
        case .reject: return .refused(secret == nil ? .undecidedByApple : .refusedByApple)
        case .neverPurchased: return .refused(.neverPurchased)
        case .park: return .refused(.undecidedByApple)
        case .tooLarge: return AppleJobResult(.tooLarge)
        case .wrongSecret:
            let trouble = "the app's sharedSecret for verifyReceipt is not Apple's (21004)"
            return AppleJobResult(.unauthorized, until: again, trouble: trouble)
        case .ourFault:
            return AppleJobResult(.unauthorized, until: again, trouble: "Apple calls the request wrong (21000)")
        }
    }

    private static func found(_ finding: VerifyReceiptFinding, _ now: Timestamp) -> AppleJobResult {
        guard let answer = finding.answer else { return AppleJobResult(.unavailable, until: now) }
        let found = answer.payments(from: finding.server, now: now)
        var report = AppleJobResult.found(found.transactions, unreadable: found.unreadable.count)
        report.appAppleId = answer.receipt?.appAppleId
        return report
    }
}

extension AppleAccess {
    /// The client of an job's app and partition; nil when no key is configured.
    func client(for job: AppleJob) throws(AppStoreServerError) -> AppStoreServerClient? {
        do {
            return try client(of: job.bundleID, partition: job.partition)
        } catch {
            throw .unauthorized
        }
    }

    /// What an error of the API means, after the queue was told to rest if others would meet the same.
    func report(_ error: AppStoreServerError, _ job: AppleJob) -> AppleJobResult {
        let failure = APIFailure(error, now: clock.now())
        if let pause = failure.pause { self.pause(job.queue, of: job.partition, until: pause) }
        return failure.report
    }
}

extension VerifyReceiptDecision.Trouble {
    /// Whether any other receipt would have met the same.
    fileprivate var isOfTheServer: Bool {
        switch self {
        case .circuitOpen, .busy: true
        case .status, .http, .noStatus, .noAnswer: false
        }
    }

    /// A few words for the operator.
    fileprivate var summary: String {
        switch self {
        case .status(let status): "verifyReceipt says \(status)"
        case .http(let status): "verifyReceipt answers HTTP \(status)"
        case .noStatus: "verifyReceipt answers without a status"
        case .noAnswer(let failure): "verifyReceipt does not answer: \(failure.rawValue)"
        case .circuitOpen: "verifyReceipt does not answer; calls rest"
        case .busy: "too many calls are under way"
        }
    }
}
