import AppStore
import Contracts
import Domain
import FoundationEssentials

/// Asks Apple whether a proof is genuine.
extension AppleWorker {
    /// Most ids of a receipt that Apple is asked about before it counts as unknown.
    static let maximumTried = 3

    // MARK: The App Store Server API

    func lookUp(_ proof: ProofText, _ job: AppleJob) async -> AppleJobResult {
        let unverified = UnverifiedPurchases(proof)
        return await access.run(job) { client throws(AppStoreServerError) in
            guard let (first, server) = try await first(of: unverified.identifiers, job, client) else {
                return AppleJobResult(unverified.identifiers.isEmpty ? .contradicted : .unknown)
            }
            var signed = [first.signedTransactionInfo]
            if unverified.identifiers.count > 1 {
                let request = GetTransactionHistory(unverified.identifiers[0])
                signed += try await client.pages(from: request, on: server).flatMap(\.signedTransactions)
            }
            let known = signed.compactMap { genuine(in: $0) }
            guard !known.isEmpty else {
                return .misunderstood("what Apple answers is not signed by Apple", access.clock.now())
            }
            guard let found = unverified.match(known), !found.transactions.isEmpty else {
                return AppleJobResult(.contradicted)
            }
            return .found(found)
        }
    }

    /// The first transaction that Apple knows, and its server; nil if it knows none.
    private func first(
        of identifiers: [TransactionID],
        _ job: AppleJob,
        _ client: AppStoreServerClient
    ) async throws(AppStoreServerError) -> (GetTransactionInfo.Response, AppleServer)? {
        for id in identifiers.prefix(Self.maximumTried) {
            do throws(AppStoreServerError) {
                return try await client.find(GetTransactionInfo(id), on: servers(of: job))
            } catch .notFound {
                continue
            }
        }
        return nil
    }

    // MARK: verifyReceipt

    func verify(_ proof: ProofText, _ job: AppleJob) async -> AppleJobResult {
        // `verifyReceipt` takes no ids: what the App Store Server API does not know is unknown.
        guard proof.kind != .transactionId else { return .refused(.unknownToApple) }
        guard let (client, secret) = access.verifyReceipt(of: job.queue.bundleID) else {
            return .refused(.unverified)
        }
        guard let bytes = ReceiptText.bytes(ofBase64: proof.text) else { return .refused(.malformed) }
        let request = VerifyReceiptRequest(receipt: Data(bytes).base64EncodedString(), secret: secret)
        let earlier = VerifyReceiptAttempts(count: job.attempts + job.failures, refusals: job.refusals)
        let finding = await client.verify(request, after: earlier)
        let now = access.clock.now()
        let again = finding.retryAt ?? now.advanced(by: VerifyReceiptClient.backoff.longest)
        switch finding.outcome {
        case .valid, .notEntitled: return Self.found(finding, now)
        case .retry(let trouble) where finding.outcome.isRefusal:
            return AppleJobResult(.doubted, until: again, problem: trouble.summary)
        case .retry(let trouble):
            switch trouble {
            // Any other receipt would fail alike.
            case .circuitOpen, .busy: access.pause(job.queue, of: job.partition, until: again)
            case .status, .http, .noStatus, .noResponse: break
            }
            return AppleJobResult(.unavailable, until: again, problem: trouble.summary)
        case .ask:
            return AppleJobResult(.unavailable, until: again, problem: "each server points to the other one")
        // Without the shared secret Apple may reject a genuine receipt.
        case .reject: return .refused(secret == nil ? .undecidedByApple : .refusedByApple)
        case .neverPurchased: return .refused(.neverPurchased)
        case .park: return .refused(.undecidedByApple)
        case .tooLarge: return AppleJobResult(.tooLarge)
        case .wrongSecret:
            let problem = "the app's sharedSecret for verifyReceipt is not Apple's (21004)"
            return AppleJobResult(.unauthorized, until: again, problem: problem)
        case .ourFault:
            return AppleJobResult(.unauthorized, until: again, problem: "Apple rejects the request (21000)")
        }
    }

    private static func found(_ finding: VerifyReceiptResult, _ now: Timestamp) -> AppleJobResult {
        guard let answer = finding.response else { return AppleJobResult(.unavailable, until: now) }
        let found = answer.payments(from: finding.server, now: now)
        return .found(
            ProofContents(
                transactions: found.transactions,
                unreadable: found.unreadable.count,
                appAppleId: answer.receipt?.appAppleId,
                applicationVersion: answer.receipt?.applicationVersion.map(ProofContents.version)
            )
        )
    }
}

extension VerifyReceiptOutcome.RetryReason {
    fileprivate var summary: String {
        switch self {
        case .status(let status): "verifyReceipt says \(status)"
        case .http(let status): "verifyReceipt answers HTTP \(status)"
        case .noStatus: "verifyReceipt answers without a status"
        case .noResponse(let failure): "verifyReceipt does not answer: \(failure.rawValue)"
        case .circuitOpen: "verifyReceipt does not answer; calls pause"
        case .busy: "too many calls are under way"
        }
    }
}
